import type { Options } from './options.ts'
import type { Row } from './report.ts'
export async function benchWeb(_o: Options): Promise<Row[]> { return [] }
