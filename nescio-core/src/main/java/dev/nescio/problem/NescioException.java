// SPDX-License-Identifier: Apache-2.0
package dev.nescio.problem;

/**
 * Anything that Nescio refuses or fails to do. The message is one sentence for the person in front of the screen: the
 * place (file, key, line), the value and the limit.
 */
public abstract sealed class NescioException extends RuntimeException
        permits BadInput, BadConfiguration, BadModelFile, EngineFailure, Cancelled {

    NescioException(String message, Throwable cause) {
        super(message, cause);
    }

    NescioException(String message) {
        super(message);
    }

    /** Always there. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
