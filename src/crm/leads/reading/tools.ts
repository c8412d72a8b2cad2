import { emailLike, type Fields, isObject, objects } from './field-labels.ts'
import { isLeadName } from '../rules.ts'

/** A form tool with its own shape of leads. `unwrap` returns the fields by name or label. Null: the body is not from this tool. */
type Tool = {
  tool: string
  /** The tool treats any status other than 200 as a failure: it shows visitors an error or sends the lead again. */
  requires200?: boolean
  unwrap: (body: Fields) => Fields | null
}

/** The known form tools, in the order in which they are tried. test/lead-bodies contains an example of each and its source. */
export const tools: Tool[] = [
  {
    // { data: { 'field:first_name_1a2b': …, submissions: [{ label, value }], contact: { name: { first, last }, email } } }
    tool: 'Wix',
    requires200: true,
    unwrap: (body) => {
      const data = isObject(body.data) ? body.data : body
      const own = Object.entries(data).filter(([name]) => name.startsWith('field:'))
      if (
        own.length === 0 &&
        !(Array.isArray(data.submissions) && objects(data.submissions).every(({ label }) => typeof label === 'string'))
      )
        return null
      const contact = isObject(data.contact) ? { contact: data.contact } : {}
      return { ...fromList(data.submissions), ...Object.fromEntries(own), ...contact }
    },
  },
  {
    // 'Advanced data': { form: { id, name }, fields: { email: { id, type, title, value } }, meta: { page_url: { title, value } } }
    tool: 'Elementor',
    requires200: true,
    unwrap: ({ form, fields, meta }) => {
      if (!isObject(form) || !isObject(fields)) return null
      const valuesOf = (list: unknown) =>
        isObject(list) ? Object.fromEntries(Object.entries(list).map(([id, one]) => [id, valueOf(one)])) : {}
      return { ...valuesOf(meta), ...fromList(fields), ...valuesOf(fields) }
    },
  },
  {
    // Multipart, with the answers as JSON in rawRequest: { q3_name: { first, last }, q4_email: …, q5_phoneNumber: { full } }
    tool: 'Jotform',
    unwrap: ({ rawRequest }) => parseObject(rawRequest),
  },
  {
    // A workflow's webhook: { vid, properties: { firstname: { value, versions } } }, newer ones { properties: { firstname: … } }
    tool: 'HubSpot',
    unwrap: ({ properties }) => {
      if (!isObject(properties)) return null
      const values = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, valueOf(property)]))
      return { page_url: values.hs_analytics_first_url, referrer: values.hs_analytics_first_referrer, ...values }
    },
  },
  {
    // { user_column_data: [{ column_id: 'FULL_NAME', column_name, string_value }], google_key, gcl_id, campaign_id }
    tool: 'Google Ads',
    requires200: true,
    unwrap: ({ user_column_data: columns, gcl_id: gclid }) => {
      if (!Array.isArray(columns)) return null
      const answers = objects(columns).flatMap(({ column_id: id, column_name: name, string_value: value }) => [
        ...(typeof name === 'string' ? [[name, value]] : []),
        ...(typeof id === 'string' ? [[id.toLowerCase(), value]] : []),
      ])
      return { source: 'Google Ads', gclid, ...(Object.fromEntries(answers) as Fields) }
    },
  },
  {
    // { formResponse: { answers: [{ questionId, answerDetails: { textQuestionAnswer: { answer } } }] }, form: { content: { questions } } }
    tool: 'LinkedIn',
    unwrap: ({ formResponse, form }) => {
      if (!isObject(formResponse)) return null
      const content = isObject(form) && isObject(form.content) ? form.content : {}
      const questions = new Map(objects(content.questions).map((question) => [question.questionId, question]))
      const answers = objects(formResponse.answers).map((answer): [string, unknown] => {
        const question = questions.get(answer.questionId)
        const details = isObject(answer.answerDetails) ? answer.answerDetails : {}
        const text = isObject(details.textQuestionAnswer) ? details.textQuestionAnswer.answer : undefined
        return [String(question?.predefinedField ?? question?.name ?? answer.name ?? answer.questionId).toLowerCase(), text]
      })
      return { source: 'LinkedIn', ...Object.fromEntries(answers) }
    },
  },
  {
    // { entry: [{ lead_source: 'INSTANT_FORM', changes: [{ field: 'email', value: '…' }] }] }
    tool: 'TikTok',
    requires200: true,
    unwrap: ({ entry }) => {
      const first = Array.isArray(entry) ? objects(entry)[0] : entry
      const changes = isObject(first) ? objects(first.changes) : []
      if (changes.length === 0 || !changes.every(({ value }) => typeof value === 'string')) return null
      return { source: 'TikTok', utm_campaign: isObject(first) ? first.campaign_name : undefined, ...fromList(changes) }
    },
  },
  {
    // page_url, page_name, variant and the answers as JSON: data.json={"email":["…"]}
    tool: 'Unbounce',
    requires200: true,
    unwrap: (body) => {
      const answers = parseObject(body['data.json'] ?? body.data_json)
      return (
        answers && {
          page_url: body.page_url,
          ...Object.fromEntries(Object.entries(answers).map(([name, value]) => [name, firstOf(value)])),
        }
      )
    },
  },
  {
    // { triggerType: 'form_submission', payload: { data: { 'First Name': … } } }
    tool: 'Webflow',
    unwrap: ({ payload, data }) => {
      const fields = isObject(payload) && isObject(payload.data) ? payload.data : data
      if (!isObject(fields)) return null
      // Number fields, such as phones, arrive as numbers.
      const texts = Object.entries(fields).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value])
      return { ...(isObject(payload) && { page_url: payload.pageUrl }), ...(Object.fromEntries(texts) as Fields) }
    },
  },
  {
    // { form_response: { hidden: {…}, answers: [{ type: 'text', text: …, field: { ref: 'first_name' } }], definition: { fields: [{ id,
    // title }] } } }
    tool: 'Typeform',
    unwrap: ({ form_response: response }) => {
      if (!isObject(response)) return null
      const topLevel = objects(isObject(response.definition) ? response.definition.fields : [])
      // A contact-details question contains nested questions.
      const nested = topLevel.flatMap((question) => objects(isObject(question.properties) ? question.properties.fields : []))
      const questions = new Map([...topLevel, ...nested].map((question) => [question.id, question]))
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
      const ad = { utm_campaign: from.campaign_name, utm_term: from.adset_name, utm_content: from.ad_name }
      return { source: 'Facebook', ...ad, ...Object.fromEntries(values) }
    },
  },
  {
    // { form_id, '1.3': first, '1.6': last, '2': email, '3': phone }: the parts of a name have fixed numbers, other fields are recognized
    // by their values
    tool: 'Gravity Forms',
    unwrap: (body) => {
      const entry = isObject(body.entry) ? body.entry : body
      if (entry.form_id === undefined && body.form_id === undefined) return null
      const parts = Object.entries(entry).filter(
        (pair): pair is [string, string] => /^\d+(\.\d+)?$/.test(pair[0]) && typeof pair[1] === 'string',
      )
      if (parts.length === 0) return null
      const found = (test: (name: string, value: string) => boolean) => parts.find(([name, value]) => test(name, value.trim()))?.[1]
      // An address also has parts 3 and 6, but, unlike a name, part 1 too.
      const ofName = (part: number) =>
        found((name) => name.endsWith(`.${part}`) && !Object.hasOwn(entry, `${name.slice(0, name.lastIndexOf('.'))}.1`))
      return {
        first_name: ofName(3),
        last_name: ofName(6),
        email: found((_, value) => emailLike.test(value)),
        phone: found(
          (name, value) => !name.includes('.') && /^\+?[\d\s().-]{10,20}$/.test(value) && /^\d{10,15}$/.test(value.replace(/\D/g, '')),
        ), // excludes dates and amounts
        page_url: entry.source_url,
        ...entry,
      }
    },
  },
  {
    // A list of fields, as many tools send it: { fields: [{ name: 'firstname', value: '…' }] }, { fields: { a1: { label, value } } }
    tool: 'List of fields',
    unwrap: ({ fields }) => {
      const found = fromList(fields)
      return Object.keys(found).length > 0 ? found : null
    },
  },
]

/** Reads a list or an object of { label, value }. Each field is named by its label, or else its name or key. */
function fromList(list: unknown): Fields {
  const items = Array.isArray(list) ? objects(list) : isObject(list) ? Object.values(list).filter(isObject) : []
  const named = items
    .filter((item) => Object.hasOwn(item, 'value'))
    .map((item) => [item.label ?? item.title ?? item.name ?? item.field ?? item.key ?? item.id, item.value] as const)
    .filter((pair): pair is [string, unknown] => typeof pair[0] === 'string' && pair[0] !== '')
  return Object.fromEntries(named)
}

const valueOf = (property: unknown): unknown => (isObject(property) && Object.hasOwn(property, 'value') ? property.value : property)
const firstOf = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value)

/** Parses a JSON object. Null: the text is not one. */
function parseObject(text: unknown): Fields | null {
  if (typeof text !== 'string') return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const titleNames: [RegExp, string][] = [
  [/first\s*name|prénom/i, 'first_name'],
  [/last\s*name|surname|nom de famille/i, 'last_name'],
  [/e-?mail|courriel/i, 'email'],
  [/phone|mobile|téléphone/i, 'phone'],
  [/procedure|treatment|interest/i, 'procedure'],
]

/** The name of a question: its reference if that is a known name, or else by the answer type, or else its title. */
function typeformName(field: Fields, question: Fields | undefined, answerType: unknown): string {
  const named = [field.ref, question?.subfield_key].find((name): name is string => typeof name === 'string' && isLeadName(name))
  if (named) return named
  if (answerType === 'email') return 'email'
  if (answerType === 'phone_number') return 'phone'
  const title = typeof question?.title === 'string' ? question.title : ''
  return titleNames.find(([pattern]) => pattern.test(title))?.[1] ?? (title || String(field.ref ?? field.id))
}

function answerValue(answer: Fields): unknown {
  const value = answer[String(answer.type)]
  if (!isObject(value)) return value
  return value.label ?? value.other ?? (Array.isArray(value.labels) ? value.labels.join(', ') : null)
}
