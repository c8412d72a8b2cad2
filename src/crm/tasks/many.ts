import { and, eq, gt, lt } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, isRefusal } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { areAssignable, type Locked, lock, problems, settleChange, write } from './change.ts'
import type { OneOfMany, Task } from './contract.ts'
import type { ChangedBefore } from './rules.ts'
import { getTask } from './read.ts'
import { taskUndos } from './table.ts'

type Change = Omit<OneOfMany, 'id'> & { dueTimeConstraint?: string | null }

/** Changes many tasks, all or none. Those that are gone, or that the actor does not see, are left out and named. */
export async function changeTasks(scope: Scope, changes: readonly OneOfMany[]) {
  return scope.db.transaction(async (tx) => {
    const [missing, wanted]: [string[], { locked: Locked; change: Change }[]] = [[], []]
    // In one order, so that two people who change the same tasks do not wait for each other.
    for (const { id, ...given } of changes.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const locked = await lock(tx, scope, id)
      const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Change
      if (locked) wanted.push({ locked, change })
      else missing.push(id)
      const invalid = locked && (await problems(tx, scope, change, locked))
      if (invalid) return invalidReference(invalid)
    }
    const items: ChangedBefore[] = []
    for (const { locked, change: given } of wanted) {
      const change = await settleChange(tx, scope, locked, given)
      if (await write(tx, scope, locked, change))
        items.push({ id: locked.row.id, version: locked.row.version + 1, before: before(locked, change) })
    }
    return { changed: items.length, missing, undo: await keep(tx, scope, items) }
  })
}

/** What a change takes from a task. */
function before({ row, assigneeIds }: Locked, change: Change): ChangedBefore['before'] {
  return {
    ...(change.status === undefined ? {} : { status: row.status }),
    ...(change.assigneeIds === undefined ? {} : { assigneeIds }),
    ...(change.dueDate === undefined ? {} : { dueDate: row.dueDate }),
    ...(change.dueTimeConstraint === undefined ? {} : { dueTimeConstraint: row.dueTimeConstraint }),
  }
}

/** Completes a task; one that is completed already stays as it is. Null when the actor sees no such task. */
export async function completeTask(scope: Scope, id: string): Promise<{ task: Task; undo: string | null } | null> {
  const result = await changeTasks(scope, [{ id, status: 'completed' }])
  if (isRefusal(result) || result.missing.length > 0) return null
  const task = await getTask(scope, id)
  return task && { task, undo: result.undo }
}

/** Changes can be undone for so long. */
const keptFor = 24 * 3_600_000

async function keep(tx: Db, scope: Scope, items: ChangedBefore[]): Promise<string | null> {
  if (items.length === 0) return null
  const [row] = await tx
    .insert(taskUndos)
    .values({ madeBy: staff(scope).id, madeAt: scope.now(), items })
    .returning({ id: taskUndos.id })
  return row!.id
}

/** Takes back one's own change of tasks, once. What was changed again since stays as it is. Null when there is nothing to take back. */
export async function undoChange(scope: Scope, id: string): Promise<{ undone: number; kept: number } | null> {
  return scope.db.transaction(async (tx) => {
    const since = new Date(scope.now().getTime() - keptFor)
    const [change] = await tx
      .delete(taskUndos)
      .where(and(eq(taskUndos.id, id), eq(taskUndos.madeBy, staff(scope).id), gt(taskUndos.madeAt, since)))
      .returning()
    if (!change) return null
    let undone = 0
    for (const { id: taskId, version, before } of change.items) {
      // Anyone who has passed a task on no longer sees it, and takes that back nevertheless.
      const locked = await lock(tx, { ...scope, actor: null }, taskId)
      if (locked?.row.version !== version) continue
      // Anyone who had it may be no longer on the staff: then it stays with anyone who has it now.
      const added = (before.assigneeIds ?? []).filter((person) => !locked.assigneeIds.includes(person))
      if (added.length > 0 && !(await areAssignable(tx, scope, added))) continue
      if (await write(tx, scope, locked, before)) undone++
    }
    return { undone, kept: change.items.length - undone }
  })
}

export const purgeUndos = async (scope: Scope): Promise<void> =>
  void (await scope.db.delete(taskUndos).where(lt(taskUndos.madeAt, new Date(scope.now().getTime() - keptFor))))
