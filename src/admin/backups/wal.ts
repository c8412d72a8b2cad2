import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { KeyTakenError } from '../../integrations/storage/store.ts'
import { pieceKey, segmentBytes, segmentName, toLsn, toPosition } from './rules.ts'
import type { Vault } from './vault.ts'

/** Arbitrary advisory lock, so that only one process reads the log at a time. */
const walLock = 7_310_284_665
const prefix = 'refyne_backup_'
const maxPiece = 2n * segmentBytes

/** A log that is archived without a gap. PostgreSQL keeps for it, in a replication slot, what has not been archived yet. */
export type Chain = { id: string; slot: string; isNew: boolean }

/** The slot whose log is complete; null before the first backup, or when PostgreSQL had to give the log up. */
export async function currentChain(owner: pg.Client): Promise<Chain | null> {
  const { rows } = await owner.query<{ slot: string }>(
    `select slot_name as slot from pg_replication_slots
     where slot_name like 'refyne\\_backup\\_%' and slot_type = 'physical' and not temporary and wal_status <> 'lost'`,
  )
  const [first] = rows
  return first ? { id: first.slot.slice(prefix.length), slot: first.slot, isNew: false } : null
}

/** Begins to keep the log. `isTemporary`: until the connection ends, for a backup that nothing continues. */
export async function startChain(owner: pg.Client, isTemporary: boolean): Promise<Chain> {
  if (!isTemporary) await dropChains(owner)
  const id = randomBytes(6).toString('hex')
  await owner.query('select pg_create_physical_replication_slot($1, true, $2)', [prefix + id, isTemporary])
  return { id, slot: prefix + id, isNew: true }
}

/** Lets PostgreSQL remove the log that was kept for backups. */
export async function dropChains(owner: pg.Client): Promise<void> {
  await owner.query(
    `select pg_drop_replication_slot(slot_name) from pg_replication_slots
     where slot_name like 'refyne\\_backup\\_%' and not temporary and not active`,
  )
}

export async function skipTo(owner: pg.Client, { slot }: Chain, position: bigint): Promise<void> {
  await owner.query('select pg_replication_slot_advance($1, $2)', [slot, toLsn(position)])
}

/**
 * Archives the log up to what is on the disk now, which is everything that was committed. What is below that position never changes. A process
 * that is killed between storing and advancing stores the same bytes again, in a piece that overlaps.
 */
export async function archiveLog(owner: pg.Client, dataFolder: string, vault: Vault, { id, slot }: Chain): Promise<bigint> {
  await owner.query('select pg_advisory_lock($1)', [walLock])
  try {
    const { rows } = await owner.query<{ start: string; end: string; timeline: number }>(
      `select restart_lsn as start, pg_current_wal_flush_lsn() as end, (pg_control_checkpoint()).timeline_id as timeline
       from pg_replication_slots where slot_name = $1`,
      [slot],
    )
    const [found] = rows
    if (!found) throw new Error('The log is no longer kept for backups')
    const flushed = toPosition(found.end)
    for (let at = toPosition(found.start); at < flushed;) {
      const end = at + maxPiece < flushed ? at + maxPiece : flushed
      await vault.put(pieceKey(id, at, end), readLog(dataFolder, found.timeline, at, end)).catch((error: unknown) => {
        if (!(error instanceof KeyTakenError)) throw error
      })
      await skipTo(owner, { id, slot, isNew: false }, end)
      at = end
    }
    return flushed
  } finally {
    await owner.query('select pg_advisory_unlock($1)', [walLock])
  }
}

/** The bytes of the log from a position to before another. */
async function* readLog(dataFolder: string, timeline: number, start: bigint, end: bigint): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end;) {
    const offset = at % segmentBytes
    const wanted = Number(segmentBytes - offset < end - at ? segmentBytes - offset : end - at)
    const file = await fs.open(path.join(dataFolder, 'pg_wal', segmentName(timeline, at)))
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(wanted), 0, wanted, Number(offset))
      if (bytesRead !== wanted) throw new Error('The log is shorter than PostgreSQL says')
      yield buffer
    } finally {
      await file.close()
    }
    at += BigInt(wanted)
  }
}
