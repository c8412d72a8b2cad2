import type { Dirent } from 'node:fs'
import fs, { type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { postgresOwner } from '../../kernel/postgres/embedded-postgres.ts'
import { forEach, once, type Vault } from './vault.ts'

/** The data folder in a backup: files one after the other, cut in blocks that are stored under the name of their content. */
export type DataFolder = { folders: string[]; groups: Group[] }
export type Group = { files: [name: string, size: number][]; blocks: string[] }

export type Progress = { done: number; total: number; fresh: number }

const blockBytes = 4 * 1024 * 1024
/** Smaller files share a block. */
const smallFile = 1024 * 1024
const concurrency = 4

/** What a running server keeps that its copy makes again (the folder without its content), from PostgreSQL's own list for base backups. */
const emptied = ['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans']
const skipped =
  /^(postmaster\.pid|postmaster\.opts|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest|postgresql\.auto\.conf\.tmp|current_logfiles(\.tmp)?|pg_internal\.init.*|pgsql_tmp.*|t\d+_\d+.*)$/

/**
 * Copies the data folder of a running server, between pg_backup_start and pg_backup_stop: blocks may be torn, which the log repairs. A block that
 * is `stored` already is not stored again, whichever backup or interrupted run it is from; new ones are added.
 */
export async function copyDataFolder(
  folder: string,
  vault: Vault,
  stored: Set<string>,
  onProgress: (progress: Progress) => void,
): Promise<DataFolder> {
  const found = await walk(folder)
  const groups = toGroups(found.files)
  const progress = { done: 0, total: found.files.reduce((sum, { size }) => sum + size, 0), fresh: 0 }
  await forEach(blocksOf(folder, groups), concurrency, async ({ group, index, bytes }) => {
    const name = vault.nameOf(bytes)
    group.blocks[index] = name
    if (!stored.has(name)) {
      stored.add(name)
      await vault.put(`blocks/${name}`, once(bytes))
      progress.fresh += bytes.byteLength
    }
    progress.done += bytes.byteLength
    onProgress(progress)
  })
  return { folders: found.folders, groups: groups.map(({ files, blocks }) => ({ files, blocks })) }
}

/** Writes the folder again, owned by the account that PostgreSQL runs as. */
export async function restoreDataFolder(
  folder: string,
  { folders, groups }: DataFolder,
  vault: Vault,
  onProgress: (progress: Progress) => void,
) {
  const progress = { done: 0, total: groups.reduce((sum, { files }) => sum + files.reduce((all, [, size]) => all + size, 0), 0), fresh: 0 }
  for (const name of ['', ...folders]) await makeFolder(path.join(folder, name))
  await forEach(groups, concurrency, async ({ files, blocks }) => {
    const bytes = blockReader(vault, blocks, (size) => onProgress({ ...progress, done: (progress.done += size) }))
    for (const [name, size] of files) await writeFile(path.join(folder, name), bytes.take(size))
  })
}

/** Creates a file that survives a crash, owned by the account that PostgreSQL runs as. */
export async function writeFile(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await fs.open(name, 'w', 0o600)
  try {
    for await (const chunk of chunks) await file.writeFile(chunk)
    await own(file)
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function makeFolder(name: string): Promise<void> {
  await fs.mkdir(name, { recursive: true, mode: 0o700 })
  const owner = postgresOwner()
  if (owner) await fs.chown(name, owner.uid, owner.gid)
}

async function own(file: FileHandle) {
  const owner = postgresOwner()
  if (owner) await file.chown(owner.uid, owner.gid)
}

async function walk(root: string): Promise<{ folders: string[]; files: { name: string; size: number }[] }> {
  const folders: string[] = []
  const files: { name: string; size: number }[] = []
  const visit = async (at: string) => {
    for (const entry of await entriesOf(path.join(root, at))) {
      const name = at ? `${at}/${entry.name}` : entry.name
      if (skipped.test(entry.name)) continue
      if (entry.isDirectory()) {
        folders.push(name)
        if (!emptied.includes(name)) await visit(name)
      } else if (entry.isFile()) {
        const found = await fs.stat(path.join(root, name)).catch(nullIfGone)
        if (found) files.push({ name, size: found.size })
      } else if (at === 'pg_tblspc') throw new Error('Tablespaces outside the data folder cannot be backed up')
    }
  }
  await visit('')
  return { folders: [...folders, 'pg_wal/archive_status'], files: files.toSorted((a, b) => order(a.name, b.name)) }
}

/** The control file last: it names the checkpoint from which the copy is read. */
const order = (a: string, b: string) => Number(a === 'global/pg_control') - Number(b === 'global/pg_control') || (a < b ? -1 : 1)

function toGroups(files: readonly { name: string; size: number }[]): (Group & { names: string[] })[] {
  const groups: (Group & { names: string[] })[] = []
  let room = 0
  for (const { name, size } of files) {
    const isAlone = size >= smallFile || name === 'global/pg_control'
    if (isAlone || room < size) groups.push({ names: [], files: [], blocks: [] })
    groups.at(-1)!.names.push(name)
    room = isAlone ? 0 : (groups.at(-1)!.names.length === 1 ? blockBytes : room) - size
  }
  return groups
}

async function* blocksOf(folder: string, groups: readonly (Group & { names: string[] })[]) {
  for (const group of groups) {
    let [index, filled, bytes] = [0, 0, Buffer.allocUnsafe(blockBytes)]
    for (const name of group.names) {
      const file = await fs.open(path.join(folder, name)).catch(nullIfGone)
      if (!file) continue // of a table that was dropped since, as the log will say
      let size = 0
      try {
        for (;;) {
          if (filled === blockBytes) {
            yield { group, index: index++, bytes }
            ;[filled, bytes] = [0, Buffer.allocUnsafe(blockBytes)]
          }
          const { bytesRead } = await file.read(bytes, filled, blockBytes - filled, size)
          if (bytesRead === 0) break
          size += bytesRead
          filled += bytesRead
        }
      } finally {
        await file.close()
      }
      group.files.push([name, size])
    }
    if (filled > 0) yield { group, index, bytes: bytes.subarray(0, filled) }
  }
}

/** The bytes of blocks in order, by the files that they belong to. */
function blockReader(vault: Vault, blocks: readonly string[], onRead: (size: number) => void) {
  const source = (async function* () {
    for (const name of blocks) {
      const bytes = Buffer.concat(await Array.fromAsync(vault.read(`blocks/${name}`, name)))
      onRead(bytes.byteLength)
      yield bytes
    }
  })()
  let rest: Buffer = Buffer.alloc(0)
  return {
    async *take(size: number): AsyncGenerator<Uint8Array> {
      for (let missing = size; missing > 0;) {
        if (rest.byteLength === 0) {
          const next = await source.next()
          if (next.done) throw new Error('A file of the backup is shorter than it was')
          rest = next.value
        }
        const part = rest.subarray(0, missing)
        rest = rest.subarray(part.byteLength)
        missing -= part.byteLength
        yield part
      }
    },
  }
}

const entriesOf = (folder: string): Promise<Dirent[]> =>
  fs.readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => nullIfGone(error) ?? [])

function nullIfGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
