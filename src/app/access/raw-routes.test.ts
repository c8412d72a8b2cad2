import { beforeAll, describe, expect, it } from 'vitest'
import { insertOneOfEach, type OneOfEach } from '../../../test/factories.ts'
import { useServer } from '../../../test/server.ts'
import { sideBySide } from '../../../test/side-by-side.ts'
import { actionOfFile, proofActions } from '../../kernel/access/proof-policy.ts'
import { rawRoutes } from '../../kernel/access/policy.ts'
import { roles } from '../../kernel/access/rules.ts'

type Raw = keyof typeof rawRoutes
type Guarded = { [Name in Raw]: (typeof rawRoutes)[Name] extends 'public' ? never : Name }[Raw]

const all = 'admin sales_rep provider front_desk billing'
const clinical = 'admin sales_rep provider front_desk'
const sales = 'admin sales_rep'
const money = 'admin sales_rep front_desk billing'
const uuid = '00000000-0000-4000-8000-000000000000'

/** Every raw route that is not public: a sample request and the roles allowed, written out by hand as in policy.test.ts. */
const guarded: Record<Guarded, [who: string, method: string, path: string | ((made: OneOfEach) => string)]> = {
  'contacts.export': [sales, 'GET', '/api/contacts/export.csv'],
  'imports.upload': [sales, 'POST', '/api/imports?name=a.csv'],
  'imports.errors': [sales, 'GET', `/api/imports/${uuid}/errors.csv`],
  'imports.sendFile': [sales, 'POST', `/api/imports/${uuid}/files?path=a.pdf`],
  'imports.template': [sales, 'GET', '/api/import-templates/tasks.csv'],
  'inbox.attachment': [sales, 'GET', `/api/inbox/attachments/${uuid}/file`],
  'inbox.mail': [sales, 'GET', `/api/inbox/messages/${uuid}/mail`],
  'mailbox.mail': [all, 'GET', '/api/mailbox/messages/one/mail'],
  'mailbox.attachment': [all, 'GET', '/api/mailbox/messages/one/attachments/two'],
  'mailbox.upload': [all, 'POST', `/api/mailbox/drafts/${uuid}/files?name=a.pdf`],
  'emailTemplates.frame': [all, 'POST', '/api/email-templates/preview.html'],
  'documents.upload': [clinical, 'POST', ({ contactId }) => `/api/contacts/${contactId}/documents?name=a.pdf`],
  'documents.file': [clinical, 'GET', ({ documentId }) => `/api/documents/${documentId}/file`],
  'documents.preview': [clinical, 'GET', ({ documentId }) => `/api/documents/${documentId}/preview`],
  'pos.export': [money, 'GET', '/api/pos/receipts.csv'],
  'pos.pdf': [money, 'GET', `/api/pos/receipts/${uuid}.pdf`],
  'collections.export': [money, 'GET', '/api/collections/outstanding.csv'],
  'collections.statement': [money, 'GET', ({ contactId }) => `/api/contacts/${contactId}/statement.pdf`],
  'notes.pdf': ['admin provider', 'GET', ({ clinicalNoteId }) => `/api/notes/${clinicalNoteId}.pdf`],
  'quotes.pdf': [money, 'GET', ({ quoteId }) => `/api/quotes/${quoteId}.pdf`],
  'reports.export': ['admin sales_rep billing', 'GET', '/api/reports.csv?report=leads'],
  'audit.export': ['admin', 'GET', '/api/audit.csv'],
  'tasks.export': [all, 'GET', '/api/tasks.csv'],
  'appointments.export': [clinical, 'GET', '/api/appointments.csv'],
  'surgeries.export': [clinical, 'GET', '/api/surgeries.csv'],
  'inbox.export': [sales, 'GET', '/api/conversations.csv'],
  'wholeRecords.file': ['admin', 'GET', ({ contactId }) => `/api/contacts/${contactId}/whole-record.zip`],
  'practice.uploadLogo': ['admin', 'POST', '/api/practice/logo'],
}

describe('permissions of every raw route, by role (spec 9)', () => {
  const server = useServer()
  let made: OneOfEach
  beforeAll(async () => {
    made = await insertOneOfEach(server)
  })

  it('the table above lists every route that is not public', () => {
    const names = Object.entries(rawRoutes).flatMap(([name, access]) => (access === 'public' ? [] : [name]))
    expect(Object.keys(guarded).toSorted()).toEqual(names.toSorted())
  })

  it('every file route that requires the password is listed by path, so the prompt can name it', () => {
    const files = Object.entries(guarded).filter(([name]) => Object.hasOwn(proofActions, name))
    const found = files.map(([, [, , path]]) => actionOfFile(typeof path === 'string' ? path : path(made)))
    expect(found).toEqual(files.map(([name]) => name))
    expect(files).toHaveLength(11)
  })

  it.each(['signed out', 'pending', 'disabled', ...roles])(
    '%s: follows the table; otherwise 401 when signed out, 403 with an audit entry, and nothing for another site',
    async (who) => {
      const status = who === 'pending' || who === 'disabled' ? who : 'active'
      const role = roles.find((one) => one === who) ?? 'admin'
      const cookie: Record<string, string> = who === 'signed out' ? {} : { cookie: (await server.account({ role, status })).cookie }
      const wrong: string[] = []
      await sideBySide(Object.entries(guarded), async ([name, [allowed, method, path]]) => {
        const answer = await server.request(typeof path === 'string' ? path : path(made), { method, headers: cookie })
        await answer.arrayBuffer()
        const outcome = answer.status === 401 || answer.status === 403 ? answer.status : answer.status < 500 ? 'allowed' : answer.status
        const wanted = who === 'signed out' ? 401 : allowed.split(' ').includes(who) ? 'allowed' : 403
        if (outcome !== wanted) wrong.push(`${name}: ${answer.status}, not ${wanted}`)
        if (outcome === 403) {
          const rows = await server.rows('select actor_role, action, kind from audit_log where request_id = $1', [
            answer.headers.get('x-request-id'),
          ])
          if (JSON.stringify(rows) !== JSON.stringify([{ actor_role: role, action: 'denied', kind: name }]))
            wrong.push(`${name}: the denial's audit row is ${JSON.stringify(rows)}`)
        }
        if (method === 'GET') return
        const foreign = { ...cookie, origin: 'https://elsewhere.example' }
        const there = await server.request(typeof path === 'string' ? path : path(made), { method, headers: foreign })
        await there.arrayBuffer()
        if (there.status !== 403) wrong.push(`${name} from elsewhere: ${there.status}`)
      })
      expect(wrong).toEqual([])
    },
    30_000,
  )
})
