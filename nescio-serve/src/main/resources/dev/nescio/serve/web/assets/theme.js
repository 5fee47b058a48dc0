// Runs before the first paint, so that a chosen theme does not flash. A classic script for that reason.
(function () {
  try {
    const chosen = localStorage.getItem('nescio.theme');
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  } catch {
    /* storage is off: the system's colours are used */
  }
})();
