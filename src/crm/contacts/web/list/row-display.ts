import type { ColumnLayout } from './columns/layout.ts'
import type { Density } from './useDensity.ts'

/** The height and columns of the rows, as the toolbar sets them. */
export interface RowDisplay {
  density: Density
  onToggleDensity: () => void
  layout: ColumnLayout
  onLayout: (layout: ColumnLayout) => void
}
