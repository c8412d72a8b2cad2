/** The routes of the data API. */
import { type Call, partsOf } from '../http.ts'
import type { Mailboxes } from '../mailbox-registry.ts'
import type { VendorReply } from '../vendor-server.ts'
import { type Calendars, freeBusy } from './calendars.ts'
import type { Client } from './connect.ts'
import { expired, notFound, Refusal, unauthorized, unknownGrant } from './errors.ts'
import { findFolder, foldersOf, folderShape } from './folders.ts'
import type { Grant, Grants } from './grants.ts'
import * as mail from './mail.ts'
import { type Context, grantShape, messageShape } from './shapes.ts'

export type Nylas = { grants: Grants; mailboxes: Mailboxes; calendars: Calendars; client: Client; now: () => number }

export async function handleNylas(call: Call, nylas: Nylas): Promise<VendorReply> {
  try {
    return await dispatch(call, nylas)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.reply()
  }
}

async function dispatch(call: Call, nylas: Nylas): Promise<VendorReply> {
  const { grants, mailboxes, calendars, now } = nylas
  const [, , name, grantId, resource, id, extra] = partsOf(call.path)
  const token = authorize(call, nylas)
  if (name !== 'grants') throw notFound()
  if (grantId === undefined || grantId === '') {
    // An access token gives access to its own grant only.
    return ok({ data: (token ? [token] : grants.list()).map(grantShape), limit: 10, offset: 0 })
  }

  const grant = grantId === 'me' ? token : grants.find(grantId)
  if (!grant || (token && token.id !== grant.id)) throw unknownGrant()
  if (resource === undefined || resource === '') {
    if (call.method === 'GET') return ok({ data: grantShape(grant) })
    if (call.method !== 'DELETE') throw notFound()
    grants.delete(grant)
    return ok({})
  }
  if (!grant.valid) throw expired()
  if (resource === 'calendars') {
    if (call.method !== 'POST' || id !== 'free-busy') throw notFound()
    return ok({ data: freeBusy(call, calendars) })
  }
  const context = { grant, mailbox: mailboxes.of(grant.email), now: now() }
  return selectFields(await handleMail(`${call.method} ${resource}`, { call, id, extra, context }), call.query.get('select'))
}

/** Limits the data to the selected fields. @param select comma-separated names; null for all. */
function selectFields(reply: VendorReply, select: string | null): VendorReply {
  if (select === null || !('body' in reply)) return reply
  const names = select.split(',')
  const chosen = (one: object) => Object.fromEntries(Object.entries(one).filter(([name]) => names.includes(name)))
  const { data, ...rest } = reply.body as { data: object | object[] }
  return { ...reply, body: { ...rest, data: Array.isArray(data) ? data.map(chosen) : chosen(data) } }
}

type MailCall = { call: Call; id: string | undefined; extra: string | undefined; context: Context }

async function handleMail(route: string, { call, id, extra, context }: MailCall): Promise<VendorReply> {
  const { query } = call
  const { grant, mailbox } = context
  if (id === undefined) {
    if (route === 'GET folders') return ok({ data: foldersOf(grant).map((folder) => folderShape(folder, grant, mailbox)) })
    if (route === 'GET messages') return ok(mail.listMessages(query, context))
    if (route === 'GET threads') return ok(mail.listThreads(query, context))
    if (route === 'GET drafts') return ok(mail.listMessages(query, context, true))
    if (route === 'POST drafts') return ok({ data: await mail.createDraft(call, context) })
    throw notFound()
  }
  if (route === 'GET attachments') return mail.readAttachment(id, query, context, extra === 'download')
  if (route === 'POST messages' && id === 'send') {
    const sent = await mail.send(call, context)
    return ok({ grant_id: grant.id, data: { ...messageShape(sent, grant), schedule_id: '' } })
  }
  if (route === 'GET folders') return ok({ data: folderShape(findFolder(id, grant), grant, mailbox) })
  if (route === 'GET messages') return ok({ data: messageShape(mail.findMessage(id, context), grant, query.get('fields') ?? 'standard') })
  if (route === 'PUT messages') return ok({ data: mail.changeMessage(id, call, context) })
  if (route === 'GET threads') return ok({ data: mail.readThread(id, context) })
  if (route === 'PUT threads') return ok({ data: mail.changeThread(id, call, context) })
  if (route === 'GET drafts') return ok({ data: messageShape(mail.findDraft(id, context), grant) })
  if (route === 'PUT drafts') return ok({ data: await mail.changeDraft(id, call, context) })
  if (route === 'POST drafts') return ok({ data: messageShape(mail.sendDraft(id, context), grant) })
  if (route === 'DELETE drafts') mail.deleteDraft(id, context)
  else if (route === 'DELETE messages') mail.trash(id, context)
  else if (route === 'DELETE threads') mail.trashThread(id, context)
  else throw notFound()
  return ok({})
}

/** @returns the grant of an access token; undefined for the API key, which has access to all grants. @throws Refusal */
function authorize(call: Call, { client, grants }: Nylas): Grant | undefined {
  const token = /^Bearer (\S+)$/i.exec(call.headers.authorization ?? '')?.[1]
  if (token === undefined) throw unauthorized()
  const grant = grants.ofToken(token)
  if (!grant && client.apiKey !== undefined && token !== client.apiKey) throw unauthorized()
  return grant
}

function ok(body: Record<string, unknown>): VendorReply {
  const request_id = crypto.randomUUID()
  return { status: 200, body: { request_id, ...body }, headers: { 'x-request-id': request_id } }
}
