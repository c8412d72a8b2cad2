import { DamagedError } from '../../kernel/age.ts'
import type { StoredFile } from '../../integrations/storage/store.ts'
import type { Manifest } from './manifest.ts'
import { isDayOf } from './rules.ts'
import { forEach, type Vault } from './vault.ts'

/**
 * The objects of earlier backups that are missing, or did not read back: of the `suspects` and of a part that is another one each day, so that
 * what lies for years is read each month.
 */
export async function findDamaged(
  vault: Vault,
  objects: readonly StoredFile[],
  manifests: readonly Manifest[],
  suspects: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const wanted = new Map<string, string>()
  for (const { database, files } of manifests) {
    for (const name of database.groups.flatMap(({ blocks }) => blocks)) wanted.set(`blocks/${name}`, name)
    for (const { key, digest } of files) wanted.set(`files/${key}`, digest)
  }
  const stored = new Set(objects.map(({ key }) => key))
  const suspected = new Set(suspects)
  const lost = new Set<string>()
  await forEach(wanted, 4, async ([key, digest]) => {
    if (!stored.has(key)) return void lost.add(key)
    if (!suspected.has(key) && !isDayOf(digest, now)) return
    try {
      await vault.digest(vault.read(key, digest))
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
      lost.add(key)
    }
  })
  return lost
}

/** A damaged object is only removed to store it again. */
export const replacing = (vault: Vault, lost: Set<string>): Vault => ({
  ...vault,
  async put(key, source) {
    if (lost.has(key)) await vault.store.delete(key)
    const digest = await vault.put(key, source)
    lost.delete(key)
    return digest
  },
})
