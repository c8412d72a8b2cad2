/** A hole that somebody could leave, and the tests that should notice it. */
export interface Hole {
  name: string
  file: string
  /** Stands in the file once. */
  find: string
  replace: string
  /** Of the paths of the tests, and of their names. */
  tests: string[]
  titles?: string
}

/** One for each kind of protection that the product promises. */
export const holes: readonly Hole[] = [
  {
    name: 'the permission matrix is not asked',
    file: 'src/server/api.ts',
    find: "  if (!refusal) return\n  if (refusal.code === 'FORBIDDEN')",
    replace: "  if (refusal !== undefined) return\n  if (refusal.code === 'FORBIDDEN')",
    tests: ['src/features/access/policy'],
    titles: 'billing: allowed',
  },
  {
    name: 'a route for files asks nobody',
    file: 'src/server/app.ts',
    find: '      if (!refusal) return answer(scope, c)',
    replace: '      if (refusal !== undefined) return answer(scope, c)',
    tests: ['src/features/access/policy'],
    titles: 'files come and go',
  },
  {
    name: 'an account that waits for approval counts as active',
    file: 'src/features/access/policy.ts',
    find: "return actor.status === 'active' && access.includes(actor.role)",
    replace: 'return access.includes(actor.role)',
    tests: ['src/features/access/policy'],
    titles: 'pending: allowed',
  },
  {
    name: '% and _ of a search are not escaped',
    file: 'src/features/contacts/search.ts',
    find: "sql`(${column} || '') like contains_pattern(${term})`",
    replace: "sql`(${column} || '') like '%' || ${term} || '%'`",
    tests: ['src/features/contacts/search'],
  },
  {
    name: 'everybody sees all tasks',
    file: 'src/features/tasks/read.ts',
    find: '  seesAllTasks(scope.actor) ? undefined : isAssignedTo(db, staff(scope).id)',
    replace: '  seesAllTasks(scope.actor) || staff(scope) ? undefined : isAssignedTo(db, staff(scope).id)',
    tests: ['src/features/tasks/service'],
  },
  {
    name: 'a draft of somebody else’s can be read',
    file: 'src/features/mailbox/drafts.ts',
    find: 'and(eq(mailboxDrafts.id, id), eq(mailboxDrafts.userId, staff(scope).id))',
    replace: 'and(eq(mailboxDrafts.id, id), staff(scope) ? undefined : eq(mailboxDrafts.userId, id))',
    tests: ['src/features/mailbox/drafts'],
  },
  {
    name: 'billing sees clinical notes',
    file: 'src/features/contacts/policy.ts',
    find: "actor?.role !== 'billing'",
    replace: "actor?.role !== 'nobody'",
    tests: ['src/features/contacts/service', 'src/features/contacts/history'],
  },
  {
    name: 'a code of the portal is not used up',
    file: 'src/features/portal/codes.ts',
    find: '.set({ usedAt: scope.now() })',
    replace: '.set({ usedAt: null })',
    tests: ['src/features/portal/codes'],
  },
  {
    name: 'a code of the portal never runs out',
    file: 'src/features/portal/codes.ts',
    find: 'and(eq(portalCodes.email, email), gt(portalCodes.expiresAt, scope.now()))',
    replace: 'and(eq(portalCodes.email, email), gt(portalCodes.expiresAt, new Date(0)))',
    tests: ['src/features/portal/codes'],
  },
  {
    name: 'guesses at a code are not counted',
    file: 'src/features/portal/codes.ts',
    find: 'last.usedAt !== null || last.wrongTries >= mostWrongTries',
    replace: 'last.usedAt !== null || last.wrongTries < 0',
    tests: ['src/features/portal/codes'],
  },
  {
    name: 'a change that another site’s page sends is taken',
    file: 'src/server/app.ts',
    find: '  return origin !== new URL(appUrl).origin && !isLocal',
    replace: "  return origin === '' && !isLocal && appUrl === ''",
    tests: ['src/server/headers'],
  },
  {
    name: 'a form of another site without an origin is taken',
    file: 'src/server/app.ts',
    find: "  if (origin === null) return site === 'cross-site'",
    replace: "  if (origin === null) return site === 'never'",
    tests: ['src/server/headers'],
  },
  {
    name: 'the answer does not wait until the view is in the audit log',
    file: 'src/server/api.ts',
    find: '        await Promise.all(call.context.views).catch(',
    replace: '        await Promise.all([...call.context.views].slice(0, 0)).catch(',
    tests: ['src/features/audit/service'],
    titles: 'whatever is asked',
  },
  {
    name: 'what is deleted is not in the audit log',
    file: 'src/features/procedures/service.ts',
    find: "await recordChange(tx, scope, { action: 'deleted', kind: 'procedure', contactIds: losing.map((contact) => contact.id), before: row })",
    replace: 'void losing',
    tests: ['src/features/audit/service'],
    titles: 'changes: before and after',
  },
  {
    name: 'the application’s role may change the audit log',
    file: 'src/server/migrate.ts',
    find: '`revoke update, delete, truncate on audit_log, audit_seals from ${app}`',
    replace: '`revoke truncate on audit_log, audit_seals from ${app}`',
    tests: ['src/features/audit/service', 'src/features/audit/seals'],
    titles: 'role',
  },
  {
    name: 'an entry of the audit log that was altered goes unnoticed',
    file: 'src/features/audit/seal-rules.ts',
    find: 'else if (!digest.equals(sealed)) found.altered.push(id)',
    replace: 'else if (digest.length !== sealed.length) found.altered.push(id)',
    tests: ['src/features/audit/seal'],
  },
  {
    name: 'a cell of a file can be a formula',
    file: 'src/shared/csv.ts',
    find: 'formula.test(cell) && !phone.test(cell) && !amount.test(cell)',
    replace: 'formula.test(cell) && !phone.test(cell) && amount.test(cell)',
    tests: ['src/features/contacts/export', 'src/features/audit/read'],
  },
  {
    name: 'an error is logged with its message',
    file: 'src/server/errors.ts',
    find: '    kind: error.name,\n    code',
    replace: '    kind: `${error.name} ${error.message}`,\n    code',
    tests: ['src/server/canary'],
  },
  {
    name: 'a bookkeeping company is connected by whoever began nothing',
    file: 'src/features/auth/oauth-attempts.ts',
    find: '  return (await scope.db.delete(oauthAttempts).where(isMine).returning()).length > 0',
    replace: '  return (await scope.db.delete(oauthAttempts).where(isMine).returning()).length >= 0',
    tests: ['src/features/quickbooks/connection', 'src/features/mailbox/connection'],
  },
  {
    name: 'a stream outlives its session',
    file: 'src/features/events/router.ts',
    find: "        if (event.topic === 'session' && (event.id === actor.id || event.id === actor.sessionId)) return\n",
    replace: '',
    tests: ['src/features/access/policy'],
    titles: 'a new password|sign-out ends',
  },
]
