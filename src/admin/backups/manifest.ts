import { z } from 'zod'
import type { StoredFile } from '../../integrations/storage/store.ts'
import { DamagedError } from '../../kernel/age.ts'
import type { Kept } from './rules.ts'
import { once, type Vault } from './vault.ts'

const group = z.object({ files: z.array(z.tuple([z.string(), z.number()])), blocks: z.array(z.string()) })

/** A backup. It is written last: without it, nothing that was stored counts. */
const manifest = z.object({
  version: z.literal(1),
  id: z.string(),
  /** The clinic, as place.ts reads it; missing in backups of earlier versions. */
  system: z.string().nullish(),
  startedAt: z.coerce.date(),
  /** The earliest time that it can be restored to, by the database's clock. */
  at: z.coerce.date(),
  database: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('folder'),
      postgres: z.string(),
      timeline: z.number(),
      chain: z.string(),
      /** Positions in the log: from the segment in which the backup begins, to where it is consistent. */
      from: z.string(),
      to: z.string(),
      label: z.string(),
      folders: z.array(z.string()),
      groups: z.array(group),
    }),
    z.object({ kind: z.literal('dump'), postgres: z.string(), groups: z.array(group) }),
  ]),
  files: z.array(z.object({ key: z.string(), digest: z.string(), size: z.number() })),
  secrets: z.object({ APP_SECRET: z.string(), OLD_APP_SECRETS: z.array(z.string()) }),
})
export type Manifest = z.output<typeof manifest>

export const writeManifest = (vault: Vault, written: Manifest): Promise<unknown> =>
  vault.put(`backups/${written.id}`, once(Buffer.from(JSON.stringify(written))))

export async function readManifest(vault: Vault, id: string): Promise<Manifest> {
  const parts = await Array.fromAsync(vault.read(`backups/${id}`))
  const read = manifest.parse(JSON.parse(Buffer.concat(parts).toString('utf8')))
  if (read.id !== id) throw new DamagedError(`backups/${id} is the manifest of another backup`)
  return read
}

/** The backups that can be read, oldest first. */
export async function readManifests(vault: Vault, ids: readonly string[]): Promise<{ manifests: Manifest[]; damaged: string[] }> {
  const manifests: Manifest[] = []
  const damaged: string[] = []
  for (const id of ids) {
    try {
      manifests.push(await readManifest(vault, id))
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
      damaged.push(id)
    }
  }
  return { manifests, damaged }
}

/** The ids of the backups at a place, oldest first. They begin with the time. */
export const backupIds = (objects: readonly StoredFile[]): string[] =>
  objects
    .filter(({ key }) => key.startsWith('backups/'))
    .map(({ key }) => key.slice('backups/'.length))
    .toSorted()

/** What a backup needs. */
export const keptBy = ({ database, files }: Manifest): Kept => ({
  blocks: new Set(database.groups.flatMap(({ blocks }) => blocks)),
  files: new Set(files.map(({ key }) => key)),
  log: database.kind === 'folder' ? { chain: database.chain, from: BigInt(database.from) } : null,
})

export const sizeOf = ({ database, files }: Manifest) => ({
  databaseBytes: database.groups.reduce((sum, one) => sum + one.files.reduce((all, [, size]) => all + size, 0), 0),
  fileBytes: files.reduce((sum, { size }) => sum + size, 0),
  files: files.length,
})
