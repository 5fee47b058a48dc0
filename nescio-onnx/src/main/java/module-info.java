/** ONNX models as a source of hidden states. */
module dev.nescio.onnx {
    requires dev.nescio.io;
    requires com.microsoft.onnxruntime;

    provides dev.nescio.io.detector.StateSource with
            dev.nescio.onnx.OnnxStates;
}
