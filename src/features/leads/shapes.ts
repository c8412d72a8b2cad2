/** The fields of a lead's body as the form tool sent it: plain pairs, or one of the envelopes that common tools wrap them in. */
export type Fields = Record<string, unknown>

type Envelope = { tool: string; unwrap: (body: Fields) => Fields | null }

/** Flattens what a form tool sent to plain pairs. A body that is no known envelope is left as it is. */
export function flatten(body: Fields): Fields {
  for (const { unwrap } of envelopes) {
    const fields = unwrap(body)
    if (fields) return { ...alias(fields), ...fields }
  }
  return { ...alias(body), ...body }
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const objects = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** 'First Name' is also read as first_name, 'Email Address' as email_address; a name that is there already is not touched. */
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
      if (isObject(payload) && isObject(payload.data)) return payload.data
      return isObject(data) ? data : null
    },
  },
  {
    // { form_response: { hidden: {…}, answers: [{ type: 'text', text: …, field: { ref: 'first_name' } }], definition: { fields: [{ id, title }] } } }
    tool: 'Typeform',
    unwrap: ({ form_response: response }) => {
      if (!isObject(response)) return null
      const titles = new Map(objects(isObject(response.definition) ? response.definition.fields : []).map((field) => [field.id, field.title]))
      const answers = objects(response.answers).map((answer) => {
        const field = isObject(answer.field) ? answer.field : {}
        const title = titles.get(field.id)
        return [byTypeformName(String(field.ref ?? ''), title, answer.type), answerValue(answer)]
      })
      return { ...(isObject(response.hidden) ? response.hidden : {}), ...Object.fromEntries(answers) }
    },
  },
  {
    // { field_data: [{ name: 'first_name', values: ['…'] }] }, alone or as the entry's value
    tool: 'Facebook lead ads',
    unwrap: (body) => {
      const change = objects(objects(body.entry)[0]?.changes)[0]?.value
      const from = isObject(change) && Array.isArray(change.field_data) ? change : body
      if (!Array.isArray(from.field_data)) return null
      const fields = Object.fromEntries(objects(from.field_data).map((field) => [String(field.name), Array.isArray(field.values) ? field.values[0] : undefined])) as Fields
      return { source: 'Facebook', ...splitFullName(fields) }
    },
  },
  {
    // { form_id, '1.3': first, '1.6': last, '2': e-mail, '3': phone }: a name field's parts have fixed numbers, the rest is told by its look
    tool: 'Gravity Forms',
    unwrap: (body) => {
      const entry = isObject(body.entry) ? body.entry : body
      if (entry.form_id === undefined && body.form_id === undefined) return null
      const parts = Object.entries(entry).filter((pair): pair is [string, string] => /^\d+(\.\d+)?$/.test(pair[0]) && typeof pair[1] === 'string')
      const found = (test: (name: string, value: string) => boolean) => parts.find(([name, value]) => test(name, value.trim()))?.[1]
      return {
        first_name: found((name) => name.endsWith('.3')),
        last_name: found((name) => name.endsWith('.6')),
        email: found((_, value) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)),
        phone: found((name, value) => !name.includes('.') && /^\+?[\d\s().-]{7,20}$/.test(value)),
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

/** A Typeform question's name: its reference where somebody has given it one that means something, else by its title, else by its type. */
function byTypeformName(ref: string, title: unknown, type: unknown): string {
  if (/^[a-z]+(_[a-z]+)*$/i.test(ref)) return ref
  const known = titleNames.find(([pattern]) => pattern.test(String(title ?? '')))?.[1]
  if (known) return known
  return type === 'email' ? 'email' : type === 'phone_number' ? 'phone' : ref
}

function answerValue(answer: Fields): unknown {
  const value = answer[String(answer.type)]
  return isObject(value) && 'label' in value ? value.label : value
}

/** Facebook's standard question for the name is one field; the last word is taken for the last name. */
function splitFullName(fields: Fields): Fields {
  if (typeof fields.full_name !== 'string' || fields.first_name || fields.last_name) return fields
  const words = fields.full_name.trim().split(/\s+/)
  return words.length < 2 ? fields : { ...fields, first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) }
}
