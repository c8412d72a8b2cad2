/** A stroke as the path of an SVG; one point is a dot. */
export const pathOf = (points: readonly number[]): string =>
  points.length === 2 ? `M${points.join(' ')}h4` : `M${points.slice(0, 2).join(' ')}L${points.slice(2).join(' ')}`
