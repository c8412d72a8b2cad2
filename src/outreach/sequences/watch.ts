import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { addTask } from '../../crm/tasks/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { announceSequence } from './announce.ts'
import { failedSince, isQuiet, lateAfterMinutes, lateSince, type SequenceProblem } from './rules.ts'
import { sequences, sequenceVersions } from './table.ts'

/** What is wrong with a sequence. */
export interface Troubled {
  id: string
  name: string
  problems: { kind: SequenceProblem; count: number }[]
}

/**
 * Sequences that do not do what they should: with steps that are late or failed, or that no one has entered for as long as administrators want to
 * know. Reads only what is late or failed: it is asked with each scrape of the metrics.
 */
export async function troubledSequences(db: Db, now: Date): Promise<Troubled[]> {
  const rows = await db
    .select({ sequence: sequences, definition: sequenceVersions.definition })
    .from(sequences)
    .innerJoin(sequenceVersions, and(eq(sequenceVersions.sequenceId, sequences.id), eq(sequenceVersions.number, sequences.published)))
    .where(sql`${sequences.deletedAt} is null`)
    .orderBy(sequences.name)
  if (rows.length === 0) return []
  const states = await readLate(db, now)
  return rows.flatMap(({ sequence, definition }) => {
    const state = states.get(sequence.id)
    const counts: Record<SequenceProblem, number> = {
      late: state?.late ?? 0,
      failed: state?.failed ?? 0,
      quiet: isQuiet(sequence, definition.alertDays, now) ? (definition.alertDays ?? 0) : 0,
    }
    const problems = (Object.keys(counts) as SequenceProblem[]).flatMap((kind) => (counts[kind] > 0 ? [{ kind, count: counts[kind] }] : []))
    return problems.length > 0 ? [{ id: sequence.id, name: sequence.name, problems }] : []
  })
}

async function readLate(db: Db, now: Date): Promise<Map<string, { late: number; failed: number }>> {
  const { rows } = await db.execute<{ id: string; late: number; failed: number }>(sql`
    select sequence_id as id, count(*) filter (where status = 'active')::int as late, count(*) filter (where status = 'failed')::int as failed
    from (
      select sequence_id, status from automation_state where status = 'active' and due_at < ${lateSince(now).toISOString()}::timestamptz
      union all
      select sequence_id, status from automation_state where status = 'failed' and ended_at > ${failedSince(now).toISOString()}::timestamptz
    ) as troubled where sequence_id is not null group by sequence_id`)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

const words: Record<SequenceProblem, (count: number) => string> = {
  late: (count) => `${count === 1 ? '1 step is' : `${count} steps are`} more than ${lateAfterMinutes} minutes late`,
  failed: (count) => `a step failed for ${count === 1 ? '1 patient' : `${count} patients`}`,
  quiet: (count) => `no one has entered for ${count === 1 ? 'a day' : `${count} days`}`,
}

/** In words, such as '2 steps are more than 15 minutes late, and no one has entered for 3 days'. */
export const describeTrouble = ({ problems }: Troubled): string => problems.map(({ kind, count }) => words[kind](count)).join(', and ')

/** Gives an administrator a task, once until all is well again. */
export const watchSequences = defineJob({
  name: 'sequences.watch',
  payload: z.object({}),
  cron: '*/5 * * * *',
  async run(scope) {
    const troubled = await troubledSequences(scope.db, scope.now())
    for (const one of troubled) await scope.db.transaction((tx) => alert(tx, scope, one))
    const well = await scope.db
      .update(sequences)
      .set({ alertedAt: null })
      .where(and(isNotNull(sequences.alertedAt), sql`${sequences.id} <> all(${sql.param(troubled.map(({ id }) => id))}::uuid[])`))
      .returning({ id: sequences.id })
    for (const { id } of well) await announceSequence(scope.db, id)
  },
})

async function alert(tx: Db, scope: Scope, troubled: Troubled): Promise<void> {
  const [row] = await tx.select().from(sequences).where(eq(sequences.id, troubled.id)).for('update')
  if (!row || row.alertedAt) return
  const admins = await tx
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.role, 'admin'), eq(profiles.status, 'active')))
    .orderBy(profiles.id)
  const [first, ...others] = admins.map(({ id }) => id)
  if (!first) return
  await addTask(tx, scope, {
    title: `Look at the sequence “${troubled.name}”: ${describeTrouble(troubled)}`.slice(0, 200),
    type: 'Other',
    contactId: null,
    dueDate: dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE),
    people: [first, ...others],
  })
  await tx.update(sequences).set({ alertedAt: scope.now() }).where(eq(sequences.id, troubled.id))
  await announceSequence(tx, troubled.id)
}
