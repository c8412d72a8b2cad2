import { isLeadName, type LeadField, leadFields, readLead } from './rules.ts'

/** The fields of a lead's body as the form tool sent it: plain pairs, or one of the envelopes that common tools wrap them in. */
export type Fields = Record<string, unknown>

type Envelope = { tool: string; unwrap: (body: Fields) => Fields | null }

/**
 * The fields of a lead, wherever its body has them: under spec 5's own names first, then in the envelope of a known form tool, then under
 * names that differ from spec 5's in case and spaces only ('First Name').
 */
export function flatten(body: Fields): Record<LeadField, string | null> {
  const readings = fieldSets(body).map(readLead)
  const first = (field: LeadField) => readings.find((reading) => reading[field] !== null)?.[field] ?? null
  return Object.fromEntries(leadFields.map((field) => [field, first(field)])) as Record<LeadField, string | null>
}

/** Where a body may have its fields, in the order in which they count. */
export function fieldSets(body: Fields): Fields[] {
  const wrapped = envelopes.map(({ unwrap }) => unwrap(body)).find((fields) => fields !== null) ?? {}
  return [body, wrapped, alias(wrapped), alias(body)]
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const objects = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** 'First Name' is also read as first_name, 'Email Address' as email_address. */
function alias(fields: Fields): Fields {
  const aliased = Object.entries(fields).map(([name, value]) => [
    name
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
    value,
  ])
  return Object.fromEntries(aliased) as Fields
}

const envelopes: Envelope[] = [
  {
    // { triggerType: 'form_submission', payload: { data: { 'First Name': … } } }
    tool: 'Webflow',
    unwrap: ({ payload, data }) => {
      const fields = isObject(payload) && isObject(payload.data) ? payload.data : data
      if (!isObject(fields)) return null
      // A field for numbers, such as a phone's, arrives as a number.
      const texts = Object.entries(fields).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value])
      return { ...(isObject(payload) && { page_url: payload.pageUrl }), ...(Object.fromEntries(texts) as Fields) }
    },
  },
  {
    // { form_response: { hidden: {…}, answers: [{ type: 'text', text: …, field: { ref: 'first_name' } }], definition: { fields: [{ id, title }] } } }
    tool: 'Typeform',
    unwrap: ({ form_response: response }) => {
      if (!isObject(response)) return null
      const asked = objects(isObject(response.definition) ? response.definition.fields : [])
      // A question for contact details has questions of its own.
      const nested = asked.flatMap((question) => objects(isObject(question.properties) ? question.properties.fields : []))
      const questions = new Map([...asked, ...nested].map((question) => [question.id, question]))
      const fields: Fields = {}
      for (const answer of objects(response.answers)) {
        const field = isObject(answer.field) ? answer.field : {}
        const value = answerValue(answer)
        // The first answer counts: 'May we email you?' comes after the address.
        if (typeof value === 'string') fields[typeformName(field, questions.get(field.id), answer.type)] ??= value
      }
      return { ...(isObject(response.hidden) ? response.hidden : {}), ...fields }
    },
  },
  {
    // { field_data: [{ name: 'first_name', values: ['…'] }] }, alone or as the entry's value
    tool: 'Facebook lead ads',
    unwrap: (body) => {
      const change = objects(objects(body.entry)[0]?.changes)[0]?.value
      const from = isObject(change) && Array.isArray(change.field_data) ? change : body
      if (!Array.isArray(from.field_data)) return null
      const values = objects(from.field_data).map((field): [string, unknown] => [
        String(field.name),
        Array.isArray(field.values) ? field.values[0] : undefined,
      ])
      const fields: Fields = Object.fromEntries(values)
      const ad = { utm_campaign: from.campaign_name, utm_term: from.adset_name, utm_content: from.ad_name }
      return { source: 'Facebook', ...ad, ...splitFullName(fields) }
    },
  },
  {
    // { form_id, '1.3': first, '1.6': last, '2': e-mail, '3': phone }: a name field's parts have fixed numbers, the rest is told by its look
    tool: 'Gravity Forms',
    unwrap: (body) => {
      const entry = isObject(body.entry) ? body.entry : body
      if (entry.form_id === undefined && body.form_id === undefined) return null
      const parts = Object.entries(entry).filter(
        (pair): pair is [string, string] => /^\d+(\.\d+)?$/.test(pair[0]) && typeof pair[1] === 'string',
      )
      const found = (test: (name: string, value: string) => boolean) => parts.find(([name, value]) => test(name, value.trim()))?.[1]
      // An address has parts 3 and 6, too, and part 1, which a name has not.
      const ofName = (part: number) => found((name) => name.endsWith(`.${part}`) && !Object.hasOwn(entry, name.replace(/\d+$/, '1')))
      return {
        first_name: ofName(3),
        last_name: ofName(6),
        email: found((_, value) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)),
        phone: found(
          (name, value) => !name.includes('.') && /^\+?[\d\s().-]{10,20}$/.test(value) && /^\d{10,15}$/.test(value.replace(/\D/g, '')),
        ), // no date, no amount
        page_url: entry.source_url,
        ...entry,
      }
    },
  },
]

const titleNames: [RegExp, string][] = [
  [/first\s*name|prénom/i, 'first_name'],
  [/last\s*name|surname|nom de famille/i, 'last_name'],
  [/e-?mail|courriel/i, 'email'],
  [/phone|mobile|téléphone/i, 'phone'],
  [/procedure|treatment|interest/i, 'procedure'],
]

/** A question's name: its reference where that says something to us, else by the kind of answer, else by its title. */
function typeformName(field: Fields, question: Fields | undefined, answerType: unknown): string {
  const named = [field.ref, question?.subfield_key].find((name): name is string => typeof name === 'string' && isLeadName(name))
  if (named) return named
  if (answerType === 'email') return 'email'
  if (answerType === 'phone_number') return 'phone'
  const title = typeof question?.title === 'string' ? question.title : ''
  return titleNames.find(([pattern]) => pattern.test(title))?.[1] ?? String(field.ref ?? field.id)
}

function answerValue(answer: Fields): unknown {
  const value = answer[String(answer.type)]
  if (!isObject(value)) return value
  return value.label ?? value.other ?? (Array.isArray(value.labels) ? value.labels.join(', ') : null)
}

/** Facebook's standard question for the name is one field; the last word is taken for the last name. */
function splitFullName(fields: Fields): Fields {
  if (typeof fields.full_name !== 'string' || fields.first_name || fields.last_name) return fields
  const words = fields.full_name.trim().split(/\s+/)
  return words.length < 2 ? fields : { ...fields, first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) }
}
