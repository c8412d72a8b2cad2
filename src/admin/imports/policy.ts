import { type ApiRoute, mayCall } from '../../kernel/access/policy.ts'
import type { Actor } from '../../kernel/access/rules.ts'
import type { ImportKind } from './kind-rules.ts'

/** Administrators see all imports, everyone else only their own. */
export const seesAllImports = (actor: Pick<Actor, 'role'>): boolean => actor.role === 'admin'

/** The calls that create and delete a single record of each kind. */
const singleCalls: Record<ImportKind, { run: ApiRoute; undo: ApiRoute }> = {
  patients: { run: 'contacts.create', undo: 'contacts.delete' },
  tasks: { run: 'tasks.create', undo: 'tasks.delete' },
  interactions: { run: 'interactions.create', undo: 'interactions.create' },
  documents: { run: 'documents.update', undo: 'documents.delete' },
}

/** Whether the actor may run or undo an import of this kind: only if they may create or delete its records one by one. */
export const mayImport = (actor: Actor, kind: ImportKind, step: 'run' | 'undo'): boolean => mayCall(actor, singleCalls[kind][step], 'POST')
