import type { Clinic } from './clinic/clinic.ts'
import type { LoadRequest } from './load/protocol.ts'
import { withClinic } from './load/measure.ts'
import type { Options } from './options.ts'
import { newPeople } from './clinic/people.ts'
import { progress, type Row } from './report.ts'
import { importUnknownPatients, newestNumber, removeNewerThan } from './clinic/unknown-patients.ts'
import { drawTerms, type TermKind } from './clinic/terms.ts'

const imported = 100_000
/** Searched again after the import: the kinds whose terms match none of the imported patients. */
const rareAfterImport = ['name, common', 'name, rare', 'two words', 'phone digits in a row', 'phone digits with gaps', 'two letters']

/** Measures the contact endpoints against the baseline server at each size, with 1 and 16 connections. */
export async function benchContacts({ sizes, seconds, only }: Options): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes) rows.push(...(await benchSize(size, seconds, only)))
  return rows
}

function benchSize(size: number, seconds: number, only: string): Promise<Row[]> {
  return withClinic(size, seconds, only, async (clinic, measure) => {
    const search = (kind: TermKind, suffix = '') => measure(`search, ${kind.kind}${suffix}`, kind.terms.map(searchFor), kind)

    await measure('newest 50 with total', [{ method: 'GET', path: '/api/contacts' }])
    const kinds = await drawTerms(clinic, size)
    for (const kind of kinds) await search(kind)
    await measure('get by id', await getAnyone(clinic))
    const newest = await newestNumber(clinic)
    await measure('create', newPatients)
    await removeNewerThan(clinic, newest)

    const later = kinds.filter(({ kind }) => rareAfterImport.includes(kind) && `search, ${kind} after an import`.includes(only))
    if (later.length > 0) {
      progress(`  importing ${imported.toLocaleString('en-CA')} unknown patients`)
      await importUnknownPatients(clinic, imported)
      for (const kind of later) await search(kind, ' after an import')
    }
  })
}

/** New patients as the form submits them, with a unique email address in every request. */
const newPatients: LoadRequest[] = newPeople.map(({ firstName, lastName, phone }) => ({
  method: 'POST',
  path: '/api/contacts',
  body: JSON.stringify({ firstName, lastName, email: 'new.[<id>]@bench.example', phone }),
}))

const searchFor = (term: string): LoadRequest => ({ method: 'GET', path: `/api/contacts?search=${encodeURIComponent(term)}` })

async function getAnyone(clinic: Clinic): Promise<LoadRequest[]> {
  const rows = await clinic.query<{ id: string }>(`select id from contacts order by md5(id::text) limit 500`)
  return rows.map(({ id }) => ({ method: 'GET', path: `/api/contacts/${id}` }))
}
