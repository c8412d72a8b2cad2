import type { Clinic } from './clinic.ts'
import { onClinic } from './measure.ts'
import type { Options } from './options.ts'
import type { Row } from './report.ts'

/** Conversations, of ten messages each, beside a clinic of the smallest size that is asked for. One in fifty is unread. */
const conversations = 100_000

/** Unread by patient, the thread list and the badge, beside the same SQL run bare. */
export async function benchInbox({ sizes, seconds, only }: Options): Promise<Row[]> {
  return onClinic(Math.min(...sizes), seconds, only, async (clinic, measure) => {
    await addConversations(clinic)
    await clinic.query('vacuum analyze')
    await measure('unread by patient', [{ method: 'GET', path: '/api/inbox/unread' }])
    await measure('thread list', [{ method: 'GET', path: '/api/inbox/conversations' }])
    await measure('badge', [{ method: 'GET', path: '/api/inbox/unread/count' }])
  })
}

async function addConversations(clinic: Clinic): Promise<void> {
  await clinic.query(
    `with patient as (select id, email, row_number() over () as n, count(*) over () as patients from (select id, email from contacts where email is not null) as known)
     insert into conversations (contact_id, subject, thread_id, address, subject_key, status, last_message_at, created_at)
     select patient.id, 'Question ' || thread, md5(thread::text), patient.email, 'question ' || thread, case when thread % 10 < 3 then 'active' else 'archived' end,
       now() - thread * interval '5 minutes', now() - thread * interval '5 minutes'
     from generate_series(1, $1::int) as thread join patient on patient.n = 1 + thread % patient.patients`,
    [conversations],
  )
  await clinic.query(
    `insert into messages (conversation_id, direction, message_id, from_email, to_email, subject, body, status, created_at, read_at)
     select id, case when n % 2 = 0 then 'inbound' else 'outbound' end, thread_id || n, address, 'team@refyne.example', subject,
       repeat('May I come a little later on Tuesday? Thank you for your help. ', 1 + n * 3), case when n % 2 = 0 then 'received' else 'sent' end,
       last_message_at - (10 - n) * interval '3 hours', case when n = 10 and hashtext(thread_id) % 50 = 0 then null else now() end
     from conversations cross join generate_series(1, 10) as n`,
  )
}
