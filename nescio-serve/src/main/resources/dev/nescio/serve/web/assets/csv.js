/** What separates cells: a comma, or a semicolon or a tab where the first line has more of them. */
function separator(text) {
  const [line] = text.split('\n', 1);
  const times = (mark) => line.split(mark).length;
  return [';', '\t'].reduce((best, mark) => (times(mark) > times(best) ? mark : best), ',');
}

/** The rows of a CSV text, as arrays of cells; quotes as in RFC 4180. Stops after so many rows. */
export function parseCsv(text, most = Infinity) {
  const mark = separator(text);
  const rows = [];
  let row = [];
  let cell = '';
  let quoted = false;
  const end = () => {
    row.push(cell);
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    cell = '';
  };
  for (let i = text.charCodeAt(0) === 0xfeff ? 1 : 0; i < text.length && rows.length < most; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') {
        cell += c;
        i++;
      } else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === mark) {
      row.push(cell);
      cell = '';
    } else if (c === '\n') end();
    else if (c !== '\r') cell += c;
  }
  if (rows.length < most && (cell !== '' || row.length > 0)) end();
  return rows;
}

/** One row as CSV. */
export const csvRow = (cells) =>
  cells.map((cell) => (/[",\r\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell))).join(',');
