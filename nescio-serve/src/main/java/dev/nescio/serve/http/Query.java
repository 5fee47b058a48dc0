// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.serve.state.Refused;
import dev.nescio.serve.state.State;
import io.javalin.http.Context;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What stands behind the question mark. */
final class Query {

    private final Context context;

    /** Refuses parameters that are not known: a misspelt filter would otherwise show everything. */
    Query(Context context, Set<String> known) {
        this.context = context;
        for (String name : context.queryParamMap().keySet()) {
            if (!known.contains(name)) {
                throw new Refused(
                        400,
                        "there is no parameter '" + State.shortened(name) + "'; parameters are "
                                + String.join(", ", known.stream().sorted().toList()));
            }
        }
    }

    /** The id of the node that a request is about: in its path, or behind the question mark, because no path can hold a dot alone. */
    static String id(Context context) {
        String given = context.queryParam("id");
        return given == null ? context.pathParam("id") : given;
    }

    @Nullable
    String text(String name) {
        String value = context.queryParam(name);
        return value == null || value.isEmpty() ? null : value;
    }

    int whole(String name, int otherwise, int lowest, int highest) {
        String value = text(name);
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= lowest && number <= highest) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw wrong(name, value, "a whole number from " + lowest + " to " + highest);
        }
        throw wrong(name, value, "a whole number from " + lowest + " to " + highest);
    }

    @Nullable
    Double number(String name) {
        String value = text(name);
        if (value == null) {
            return null;
        }
        try {
            double number = Double.parseDouble(value);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw wrong(name, value, "a number");
        }
        throw wrong(name, value, "a number");
    }

    @Nullable
    Boolean truth(String name) {
        String value = text(name);
        if (value == null || value.equals("true") || value.equals("false")) {
            return value == null ? null : Boolean.valueOf(value);
        }
        throw wrong(name, value, "true or false");
    }

    /** A share between 0 and 1, both excluded. */
    @Nullable
    Double share(String name) {
        Double value = number(name);
        if (value != null && !(value > 0 && value < 1)) {
            throw wrong(name, String.valueOf(value), "a number between 0 and 1");
        }
        return value;
    }

    private static Refused wrong(String name, String value, String wanted) {
        return new Refused(400, "'" + name + "' is '" + State.shortened(value) + "', but it must be " + wanted);
    }
}
