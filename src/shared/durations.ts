/** In milliseconds. */
export const day = 24 * 60 * 60_000
export const week = 7 * day
