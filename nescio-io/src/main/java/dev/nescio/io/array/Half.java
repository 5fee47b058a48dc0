// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.array;

/** Floats of 16 bits, as networks trained elsewhere store them. */
public final class Half {

    private Half() {}

    /** IEEE 754: one bit of sign, five of exponent, ten of fraction. */
    static float ofIeee(short bits) {
        int sign = (bits & 0x8000) << 16;
        int exponent = bits >> 10 & 0x1f;
        int fraction = bits & 0x3ff;
        if (exponent == 0) {
            float value = fraction * 0x1p-24f;
            return sign == 0 ? value : -value;
        }
        int wide = exponent == 0x1f ? 0xff : exponent + 112;
        return Float.intBitsToFloat(sign | wide << 23 | fraction << 13);
    }

    /** The upper half of a float. */
    static float ofBrain(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }
}
