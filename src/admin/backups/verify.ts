import { DamagedError } from '../../kernel/age.ts'
import type { Progress } from './data-folder.ts'
import { backupIds, readManifests } from './manifest.ts'
import { continuous, toPiece, type WalPiece } from './rules.ts'
import { forEach, type Vault } from './vault.ts'

/** Reads back everything that the backups need. `problems`: a sentence for each object that is missing or damaged, whose keys are `damaged`. */
export async function verifyBackups(
  vault: Vault,
  onProgress: (step: string, progress?: Progress) => void = () => {},
): Promise<{ backups: number; problems: string[]; damaged: string[] }> {
  const objects = await Array.fromAsync(vault.store.list())
  const { manifests, damaged: unread } = await readManifests(vault, backupIds(objects))
  const damaged: string[] = []
  const problems = unread.map((id) => `The manifest of the backup ${id} is damaged`)
  const pieces = objects.map(toPiece).filter((piece) => piece !== null)
  const wanted = new Map<string, string | undefined>()
  for (const { id, database, files } of manifests) {
    for (const name of database.groups.flatMap(({ blocks }) => blocks)) wanted.set(`blocks/${name}`, name)
    for (const { key, digest } of files) wanted.set(`files/${key}`, digest)
    if (database.kind !== 'folder') continue
    const log = continuous(
      pieces.filter(({ chain }: WalPiece) => chain === database.chain),
      BigInt(database.from),
    )
    for (const { key } of log.pieces) wanted.set(key, undefined)
    if (log.end < BigInt(database.to)) problems.push(`The log of the backup ${id} is incomplete`)
  }
  const progress = { done: 0, total: 0, fresh: 0 }
  await forEach(wanted, 4, async ([key, digest]) => {
    try {
      progress.done += (await vault.digest(vault.read(key, digest))).size
      onProgress('Reading back', { ...progress, total: progress.done })
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
      problems.push(error.message)
      damaged.push(key)
    }
  })
  return { backups: manifests.length, problems, damaged }
}
