import { randomUUID } from 'node:crypto'
import { insertContact } from './factories.ts'
import type { TestServer } from './server.ts'
import { until } from './until.ts'

/** The shortest valid PDF. */
export const pdf = (text = 'hello') => Buffer.from(`%PDF-1.4\n% ${text}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`)

/** The code in the subject of an email; '' without one. */
export const codeOf = (subject = ''): string => /^(\d{6}) /.exec(subject)?.[1] ?? ''

/** The portal's API calls, as its page makes them. */
export function portalOf(server: TestServer) {
  let requestCount = 0
  /** Each call uses its own IP address by default, to stay below the limits per address. */
  const call = async (name: string, body: unknown, address = `10.9.${Math.floor(++requestCount / 250)}.${requestCount % 250}`) => {
    const response = await server.request(`/api/functions/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json().catch(() => null)) as Record<string, unknown> | null }
  }

  const emailsTo = (email: string) => server.outbox.messages.filter(({ To }) => To === email)

  async function newCode(email: string): Promise<string> {
    const before = emailsTo(email).length
    const { status } = await call('request-document-access', { email })
    if (status !== 200) throw new Error(`The code request was refused: ${status}`)
    await until(() => emailsTo(email).length > before)
    return codeOf(emailsTo(email)[0]?.Subject)
  }

  async function newPatient(given: { firstName?: string } = {}) {
    const email = `${randomUUID()}@mail.example`
    const id = await insertContact(server, { firstName: 'Éloïse', ...given, email })
    return { id, email }
  }

  const signIn = async () => signInAs((await newPatient()).id)

  /** Opens a session of an existing patient. */
  async function signInAs(id: string) {
    const [patient] = await server.rows<{ email: string }>('select email from contacts where id = $1', [id])
    const { email } = patient!
    const { body } = await call('verify-document-access', { email, otp: await newCode(email) })
    return { id, email, token: String(body?.sessionToken) }
  }

  async function upload(
    patient: { id: string; token: string },
    file: { name: string; bytes: Buffer; type?: string },
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) {
    const form = new FormData()
    form.append('file', new File([new Uint8Array(file.bytes)], file.name, { type: file.type ?? 'application/pdf' }))
    const allFields = {
      contactId: patient.id,
      sessionToken: patient.token,
      documentType: 'patient_upload',
      description: 'Document uploaded by patient',
      ...fields,
    }
    for (const [name, value] of Object.entries(allFields)) form.append(name, value)
    const response = await server.request('/api/functions/patient-document-upload', {
      method: 'POST',
      headers: {
        'x-forwarded-for': `10.8.${Math.floor(++requestCount / 250)}.${requestCount % 250}`,
        authorization: 'Bearer public',
        ...headers,
      },
      body: form,
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const listOf = async (patient: { id: string; token: string }) =>
    (await call('patient-documents-fetch', { contactId: patient.id, sessionToken: patient.token })).body?.documents as Record<
      string,
      unknown
    >[]

  return { call, emailsTo, newCode, newPatient, signIn, signInAs, upload, listOf }
}
