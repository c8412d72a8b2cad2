import type { Role } from '../../kernel/access/rules.ts'

/** Administrators manage everyone's hours. Others enter and remove their own time off. */
export const mayAddException = (
  actor: { id: string; role: Role },
  { profileId, kind }: { profileId: string; kind: 'off' | 'extra' },
): boolean => actor.role === 'admin' || (actor.id === profileId && kind === 'off')
