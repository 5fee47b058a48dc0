// SPDX-License-Identifier: Apache-2.0
/** A detector inside a Spring Boot service. Start with {@link dev.nescio.example.spring.ScoringService}. */
@NullMarked
package dev.nescio.example.spring;

import org.jspecify.annotations.NullMarked;
