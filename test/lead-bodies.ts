import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const folder = path.join(import.meta.dirname, 'lead-bodies')
const types: Record<string, string> = { '.json': 'application/json', '.txt': 'application/x-www-form-urlencoded' }

/** Lead bodies as form tools really send them, one per file: JSON, or form-encoded where the name ends in .txt. */
export const leadBodies = readdirSync(folder).map((file) => ({
  file,
  contentType: types[path.extname(file)] ?? '',
  body: readFileSync(path.join(folder, file), 'utf8'),
}))
