import type { Clinic } from './clinic/clinic.ts'
import { withClinic } from './load/measure.ts'
import type { Options } from './options.ts'
import type { Row } from './report.ts'

/** Conversations of ten messages each, in a clinic of the smallest requested size. One in fifty is unread. */
const conversations = 100_000
/** Of a search, in milliseconds. */
const aims = [{ of: 'oursP50', atMost: 300, connections: 1 }] as const

/** Measures unread messages by patient, the thread list, search and badge against the same SQL without our server. */
export async function benchInbox({ sizes, seconds, only }: Options): Promise<Row[]> {
  return withClinic(Math.min(...sizes), seconds, only, async (clinic, measure) => {
    await addConversations(clinic)
    await clinic.query('vacuum analyze')
    await measure('unread by patient', [{ method: 'GET', path: '/api/inbox/unread' }])
    await measure('thread list', [{ method: 'GET', path: '/api/inbox/conversations' }])
    await measure('badge', [{ method: 'GET', path: '/api/inbox/unread/count' }])
    for (const [kind, terms] of Object.entries(await drawWords(clinic))) {
      const requests = terms.map((term) => ({
        method: 'GET' as const,
        path: `/api/inbox/conversations?search=${encodeURIComponent(term)}`,
      }))
      await measure(`search, ${kind}`, requests, { terms, aims })
    }
  })
}

/** Search terms by frequency, from a word in every message to one in none, plus names, addresses and subjects. */
async function drawWords(clinic: Clinic): Promise<Record<string, string[]>> {
  const words = await clinic.query<{ word: string; ndoc: number }>(
    `select word, ndoc from ts_stat('select words from messages tablesample system (5) repeatable (1)') where length(word) > 3 order by md5(word)`,
  )
  const within = (least: number, most: number) =>
    words
      .filter(({ ndoc }) => ndoc >= least && ndoc < most)
      .map(({ word }) => word)
      .slice(0, 30)
  const people = await clinic.query<{ last_name: string; email: string; code: string }>(
    `select last_name, email, left(thread_id, 12) || 'c' as code from conversations join contacts on contacts.id = contact_id
     where conversations.status = 'active' order by md5(conversations.id::text) limit 30`,
  )
  return {
    'a word in every message': ['thank', 'your', 'help', 'thank you'],
    'a common word': within(500, 2_000),
    'a rare word': within(20, 100),
    'a word in one message': people.map(({ code }) => code),
    'nothing matches': ['zzyzzxq', 'nosuchword', 'qqqq wwww', 'zq', 'xjq wvk'],
    'a last name': people.map(({ last_name }) => last_name),
    'an address': people.map(({ email }) => email),
    'a subject': ['question 7', 'question 77', 'question 777', 'question 7777'],
  }
}

async function addConversations(clinic: Clinic): Promise<void> {
  await clinic.query(
    `with patient as materialized (select id, email, row_number() over (order by seq) as n from contacts where email is not null)
     insert into conversations (contact_id, subject, thread_id, address, subject_key, status, last_message_at, created_at)
     select patient.id, 'Question ' || thread, md5(thread::text), patient.email, 'question ' || thread, case when thread % 10 < 3 then 'active' else 'archived' end,
       now() - thread * interval '5 minutes', now() - thread * interval '5 minutes'
     from generate_series(1, $1::int) as thread join patient on patient.n = 1 + thread % (select count(*) from patient)`,
    [conversations],
  )
  // Sentences of made-up words, some common and most rare.
  await clinic.query('create temp table sentences (n integer primary key, text text not null)')
  await clinic.query('select setseed(0.5)')
  await clinic.query(
    `insert into sentences
     select n, string_agg(translate(left(md5((5000 * random() ^ 3)::int::text), 3 + place % 6), '0123456789', 'ghijklmnop'), ' ')
     from generate_series(0, 4999) as n cross join generate_series(1, 12) as place group by n`,
  )
  // Building the word index once over all rows is faster than row by row.
  const [{ made }] = (await clinic.query<{ made: string }>("select pg_get_indexdef('messages_words'::regclass) as made")) as [
    { made: string },
  ]
  await clinic.query('drop index messages_words')
  await clinic.query(
    `insert into messages (conversation_id, direction, message_id, from_email, to_email, subject, body, status, created_at, read_at)
     select id, case when turn % 2 = 0 then 'inbound' else 'outbound' end, thread_id || turn, address, 'team@refyne.example', subject,
       'Thank you for your help. ' || left(thread_id, 12) || chr(97 + turn) || '. ' || content.text, case when turn % 2 = 0 then 'received' else 'sent' end,
       last_message_at - (10 - turn) * interval '3 hours', case when turn = 10 and hashtext(thread_id) % 50 = 0 then null else now() end
     from conversations cross join generate_series(1, 10) as turn
     cross join lateral (
       select string_agg(sentences.text, '. ' order by place) as text from generate_series(1, 1 + turn) as place
       join sentences on sentences.n = abs(hashtext(thread_id || turn || place)) % 5000
     ) as content`,
  )
  await clinic.query(made)
  await clinic.query(
    `insert into message_attachments (message_id, name, mime_type, size, refusal)
     select id, 'photo.jpg', 'image/jpeg', 80000, 'Not kept' from messages where direction = 'inbound' and hashtext(message_id) % 10 = 0`,
  )
}
