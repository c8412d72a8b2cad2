import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { addTask } from '../../crm/tasks/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { announceSequence } from './announce.ts'
import { readStates } from './read.ts'
import { isQuiet, type SequenceProblem, lateAfterMinutes } from './rules.ts'
import { sequences, sequenceVersions } from './table.ts'

/** What is wrong with a sequence. */
export interface Troubled {
  id: string
  name: string
  problems: { kind: SequenceProblem; count: number }[]
}

/**
 * Sequences that do not do what they should: steps that are late, steps that failed, no patient for as long as administrators want to know, and
 * a scan for events that has not run.
 */
export async function troubledSequences(db: Db, now: Date): Promise<Troubled[]> {
  const rows = await db
    .select({ sequence: sequences, definition: sequenceVersions.definition })
    .from(sequences)
    .innerJoin(sequenceVersions, and(eq(sequenceVersions.sequenceId, sequences.id), eq(sequenceVersions.number, sequences.published)))
    .where(sql`${sequences.deletedAt} is null`)
    .orderBy(sequences.name)
  if (rows.length === 0) return []
  const states = await readStates(db, now)
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
