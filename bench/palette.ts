import { withClinic } from './load/measure.ts'
import type { Options } from './options.ts'
import type { Row } from './report.ts'
import { drawKeystrokes } from './clinic/terms.ts'

/** Measures the command palette's patient search after each keystroke against the baseline at each size. */
export async function benchPalette({ sizes, seconds, only }: Options): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes) {
    const measured = await withClinic(size, seconds, only, async (clinic, measure) => {
      for (const kind of await drawKeystrokes(clinic, size)) {
        const requests = kind.terms.map((term) => ({
          method: 'GET' as const,
          path: `/api/contacts/find?search=${encodeURIComponent(term)}`,
        }))
        await measure(`palette, ${kind.kind}`, requests, kind)
      }
    })
    rows.push(...measured)
  }
  return rows
}
