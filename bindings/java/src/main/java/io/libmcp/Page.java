package io.libmcp;

import java.util.List;

/**
 * One page of a list.
 *
 * @param <T> what is listed
 * @param items the items of this page
 * @param nextCursor where the next page begins; null if this is the last one
 */
public record Page<T>(List<T> items, String nextCursor) {
}
