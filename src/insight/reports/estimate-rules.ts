/** Note shown with the numbers of a report; null when every record was read. `part`: the sampled fraction, above 0 and up to 1. */
export const formatEstimate = (part: number): string | null =>
  part < 1 ? `Based on a sample of ${Math.round(part * 10_000) / 100}% of the records; counts are estimates.` : null
