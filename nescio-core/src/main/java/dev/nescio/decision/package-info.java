/**
 * From scores to decisions that can be defended: {@link dev.nescio.decision.PValues} says how unusual a node is among nodes
 * that nobody has learned from, {@link dev.nescio.decision.FalseAlarms} makes a list with a bounded share of them,
 * {@link dev.nescio.decision.RiskCoverage} says when to abstain, {@link dev.nescio.decision.LabelSets} which labels to allow.
 */
@NullMarked
package dev.nescio.decision;

import org.jspecify.annotations.NullMarked;
