import { and, eq, gt, lt } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, isRefusal } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { areAssignable, type Locked, lock, findProblems, writeTask } from './write-task.ts'
import { resolveChange } from './change.ts'
import type { BulkTaskChange, Task } from './contract.ts'
import type { UndoItem } from './rules.ts'
import { getTask } from './read.ts'
import { taskUndos } from './table.ts'

type Change = Omit<BulkTaskChange, 'id'> & { dueTimeConstraint?: string | null }

/** Changes many tasks, all or none. Tasks that do not exist or that the actor may not see are skipped and returned as `missing`. */
export async function changeTasks(scope: Scope, changes: readonly BulkTaskChange[]) {
  return scope.db.transaction(async (tx) => {
    const [missing, found]: [string[], { locked: Locked; change: Change }[]] = [[], []]
    // Sorted, so that two people who change the same tasks can't deadlock.
    for (const { id, ...given } of changes.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const locked = await lock(tx, scope, id)
      const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Change
      if (locked) found.push({ locked, change })
      else missing.push(id)
      const invalid = locked && (await findProblems(tx, scope, change, locked))
      if (invalid) return invalidReference(invalid)
    }
    const items: UndoItem[] = []
    for (const { locked, change: given } of found) {
      const change = await resolveChange(tx, scope, locked, given)
      if (await writeTask(tx, scope, locked, change))
        items.push({ id: locked.row.id, version: locked.row.version + 1, before: previousValues(locked, change) })
    }
    return { changed: items.length, missing, undo: await saveUndo(tx, scope, items) }
  })
}

/** The values of a task that a change replaces. */
function previousValues({ row, assigneeIds }: Locked, change: Change): UndoItem['before'] {
  return {
    ...(change.status === undefined ? {} : { status: row.status }),
    ...(change.assigneeIds === undefined ? {} : { assigneeIds }),
    ...(change.dueDate === undefined ? {} : { dueDate: row.dueDate }),
    ...(change.dueTimeConstraint === undefined ? {} : { dueTimeConstraint: row.dueTimeConstraint }),
  }
}

/** Completes a task. Does nothing if it is already completed. Null: it does not exist or the actor may not see it. */
export async function completeTask(scope: Scope, id: string): Promise<{ task: Task; undo: string | null } | null> {
  const result = await changeTasks(scope, [{ id, status: 'completed' }])
  if (isRefusal(result) || result.missing.length > 0) return null
  const task = await getTask(scope, id)
  return task && { task, undo: result.undo }
}

/** How long changes can be undone. */
const undoMs = 24 * 3_600_000

async function saveUndo(tx: Db, scope: Scope, items: UndoItem[]): Promise<string | null> {
  if (items.length === 0) return null
  const [row] = await tx
    .insert(taskUndos)
    .values({ madeBy: staff(scope).id, madeAt: scope.now(), items })
    .returning({ id: taskUndos.id })
  return row!.id
}

/** Undoes the actor's own change of tasks, once, except for tasks changed since. Null: there is no such change, or it has expired. */
export async function undoChange(scope: Scope, id: string): Promise<{ undone: number; kept: number } | null> {
  return scope.db.transaction(async (tx) => {
    const since = new Date(scope.now().getTime() - undoMs)
    const [change] = await tx
      .delete(taskUndos)
      .where(and(eq(taskUndos.id, id), eq(taskUndos.madeBy, staff(scope).id), gt(taskUndos.madeAt, since)))
      .returning()
    if (!change) return null
    let undone = 0
    for (const { id: taskId, version, before } of change.items) {
      // The system scope, because someone who has reassigned a task may no longer see it, but can still undo that.
      const locked = await lock(tx, { ...scope, actor: null }, taskId)
      if (locked?.row.version !== version) continue
      // If a previous assignee is no longer on the staff, the task keeps its current assignees.
      const added = (before.assigneeIds ?? []).filter((person) => !locked.assigneeIds.includes(person))
      if (added.length > 0 && !(await areAssignable(tx, scope, added))) continue
      if (await writeTask(tx, scope, locked, before)) undone++
    }
    return { undone, kept: change.items.length - undone }
  })
}

export const purgeUndos = async (scope: Scope): Promise<void> =>
  void (await scope.db.delete(taskUndos).where(lt(taskUndos.madeAt, new Date(scope.now().getTime() - undoMs))))
