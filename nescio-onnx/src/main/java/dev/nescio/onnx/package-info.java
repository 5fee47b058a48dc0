/** Models in the ONNX format as backbones: {@link dev.nescio.onnx.OnnxStates}. */
@NullMarked
package dev.nescio.onnx;

import org.jspecify.annotations.NullMarked;
