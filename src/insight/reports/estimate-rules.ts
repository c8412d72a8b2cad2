/** Said wherever the numbers of a report stand: null when every record was read. `part`: which part of them was, above 0 and up to 1. */
export const formatEstimate = (part: number): string | null =>
  part < 1 ? `Of so many, ${Math.round(part * 10_000) / 100}% were looked at; counts are estimates.` : null
