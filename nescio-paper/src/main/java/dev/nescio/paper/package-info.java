/**
 * The paper's own tables, figures and findings, beside ours. Start with {@link dev.nescio.paper.StudyReport}.
 */
@NullMarked
package dev.nescio.paper;

import org.jspecify.annotations.NullMarked;
