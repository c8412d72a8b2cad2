import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readLeadBody } from '../src/crm/leads/reading/body.ts'

const folder = path.join(import.meta.dirname, 'lead-bodies')
const types: Record<string, (body: string) => string> = {
  '.json': () => 'application/json',
  '.txt': () => 'application/x-www-form-urlencoded',
  '.multipart': (body) => `multipart/form-data; boundary=${body.slice(2, body.indexOf('\r\n'))}`,
}

type SentLead = { file: string; contentType: string; body: string }

/** Lead bodies as sent by form tools, one per file; lead-bodies/README.md names the source of each. */
export const leadBodies: SentLead[] = readdirSync(folder)
  .filter((file) => path.extname(file) in types)
  .map((file) => {
    const body = readFileSync(path.join(folder, file), 'utf8')
    return { file, contentType: types[path.extname(file)]!(body), body }
  })

/** The fields that the intake reads from a body. */
export async function readFields({ contentType, body }: SentLead) {
  const result = await readLeadBody(
    new Request('http://refyne.example', { method: 'POST', body, headers: { 'content-type': contentType } }),
  )
  if ('status' in result) throw new Error(result.message)
  return result.fields
}
