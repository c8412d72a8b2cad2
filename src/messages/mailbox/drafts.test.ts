import fs from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { makeDue } from '../../../test/jobs.ts'
import { createMailboxOwner, type Owner, useMailboxes } from '../../../test/messages/mailbox.ts'
import { refusal } from '../../../test/refusal.ts'
import { until } from '../../../test/until.ts'

const ana = { name: 'Ana Silva', email: 'ana@elsewhere.example' }
const pdf = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
)

describe('writing from one’s own mailbox', () => {
  const post = useMailboxes()
  const boxOf = (owner: Owner) => post.nylas.mailbox(owner.email)
  const sentBy = (owner: Owner) =>
    boxOf(owner)
      .list()
      .filter(({ labels }) => labels.has('SENT'))
  type Given = Partial<Parameters<Owner['client']['mailbox']['saveDraft']>[0]>
  const save = (owner: Owner, given: Given = {}) =>
    owner.client.mailbox.saveDraft({ id: crypto.randomUUID(), to: [ana], subject: 'Your visit', text: 'Hello Ana', version: 0, ...given })
  const gone = (owner: Owner, id: string) => until(async () => (await owner.client.mailbox.drafts()).every((draft) => draft.id !== id))
  const upload = (owner: Owner, id: string, name: string, bytes: Buffer) =>
    post.server.request(`/api/mailbox/drafts/${id}/files?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { cookie: owner.account.cookie },
      body: new Uint8Array(bytes),
    })

  const jobOf = (id: string, set: string) =>
    post.server.rows(
      `update graphile_worker._private_jobs set ${set} where payload->>'id' = $1 and locked_at is null and attempts > 0 returning 1`,
      [id],
    )
  /** The first attempt is over, and the next one waits until it is triggered. */
  const failedOnce = (id: string) => until(async () => (await jobOf(id, "run_at = now() + interval '1 day'")).length > 0)
  const retry = (id: string) => makeDue(post.server, "payload->>'id' = $1", [id])

  it('saves a draft while it is written, visible only to its owner', async () => {
    const [owner, other] = [await createMailboxOwner(post), await createMailboxOwner(post)]
    const first = await save(owner, { to: [], text: 'Grüße 👋' })
    expect(first).toMatchObject({ version: 1, state: 'draft', text: 'Grüße 👋', files: [] })
    const second = await save(owner, { id: first.id, text: 'Grüße an Zoë', version: 1 })
    expect(await owner.client.mailbox.drafts()).toEqual([second])
    expect(await other.client.mailbox.drafts()).toEqual([])
    expect(await refusal(other.client.mailbox.draft({ id: first.id }))).toMatchObject({ status: 404 })
    expect(await refusal(other.client.mailbox.deleteDraft({ id: first.id }))).toMatchObject({ status: 404 })
    expect(await refusal(other.client.mailbox.sendDraft({ id: first.id, version: 2 }))).toMatchObject({ status: 404 })
    expect(await refusal(save(other, { id: first.id }))).toMatchObject({ status: 409, code: 'TAKEN' })
    expect((await upload(other, first.id, 'a.pdf', pdf)).status).toBe(404)
  })

  it('reports another window’s save instead of overwriting it, and does not restore a deleted draft', async () => {
    const owner = await createMailboxOwner(post)
    const draft = await save(owner)
    await save(owner, { id: draft.id, text: 'From the first window', version: 1 })
    const conflict = await refusal(save(owner, { id: draft.id, text: 'From the second', version: 1 }))
    expect(conflict).toMatchObject({ status: 409, code: 'CONFLICT', data: { draft: { text: 'From the first window', version: 2 } } })
    const raced = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => save(owner, { id: draft.id, text: `${n}`, version: 2 })))
    expect(raced.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await owner.client.mailbox.deleteDraft({ id: draft.id })
    expect(await refusal(save(owner, { id: draft.id, version: 3 }))).toMatchObject({ status: 404 })
    expect(await owner.client.mailbox.drafts()).toEqual([])
  })

  it('sends an email once to all its recipients, however often Send is pressed', async () => {
    const owner = await createMailboxOwner(post)
    const draft = await save(owner, {
      cc: [{ name: '', email: 'cc@elsewhere.example' }],
      bcc: [{ name: 'Bea', email: 'bcc@elsewhere.example' }],
    })
    const pressed = await Promise.all(
      Array.from({ length: 10 }, () => owner.client.mailbox.sendDraft({ id: draft.id, version: 1 }).catch(() => null)),
    )
    expect(pressed.some((answer) => answer?.state === 'sending')).toBe(true)
    await gone(owner, draft.id)
    const sent = sentBy(owner).filter(({ subject }) => subject === 'Your visit')
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ to: [ana], cc: [{ email: 'cc@elsewhere.example' }], bcc: [{ email: 'bcc@elsewhere.example' }] })
  })

  it.each(['nylas', 'gmail'] as const)(
    '%s: keeps a reply in its thread with the quoted email, and adds it to the timeline of a linked patient',
    async (provider) => {
      const owner = await createMailboxOwner(post, provider)
      const box = (provider === 'nylas' ? post.nylas : post.gmail).mailbox(owner.email)
      const answered = box.list().find(({ labels, html }) => labels.has('INBOX') && html !== undefined)!
      const contactId = await insertContact(post.server, {})
      await owner.client.mailbox.link({ id: answered.threadId, contactId })
      const text = 'Yes, <b>please</b> do.'
      const draft = await save(owner, {
        kind: 'reply',
        answers: { messageId: answered.id, threadId: answered.threadId },
        to: [answered.from],
        subject: `Re: ${answered.subject}`,
        text,
      })
      await owner.client.mailbox.sendDraft({ id: draft.id, version: 1 })
      await gone(owner, draft.id)
      const sent = box.thread(answered.threadId).at(-1)!
      expect(sent.labels.has('SENT')).toBe(true)
      expect(sent.html).toContain('Yes, &lt;b&gt;please&lt;/b&gt; do.')
      expect(sent.html).toContain('<blockquote')
      expect(sent.html).not.toMatch(/<script/i)
      const mails = () => owner.client.interactions.list({ contactId, kind: 'emails' })
      await until(async () => (await mails()).data.some(({ metadata }) => metadata?.messageId === sent.id))
    },
  )

  it('sends what is allowed of a formatted draft, with its text and the signature (issue 28)', async () => {
    const owner = await createMailboxOwner(post)
    await owner.client.signatures.save({ language: 'en', html: '<p><b>Ana Test</b></p>' })
    const html =
      '<p>Hello <b>Ana</b></p><ul><li><p onclick="x()">water</p></li></ul><script>alert(1)</script><img src="https://t.example/p.png">'
    const subject = `Formatted ${crypto.randomUUID()}`
    const draft = await save(owner, { subject, html, withSignature: true })
    expect(draft).toMatchObject({ html, withSignature: true })
    expect(draft.text).toMatch(/^Hello Ana\n\n- water/)
    await owner.client.mailbox.sendDraft({ id: draft.id, version: 1 })
    await gone(owner, draft.id)
    const sent = sentBy(owner).find((message) => message.subject === subject)!
    expect(sent.html).toContain('<p>Hello <strong>Ana</strong></p><ul><li><p>water</p></li></ul>')
    expect(sent.html).toContain('<p><strong>Ana Test</strong></p>')
    expect(sent.html).not.toMatch(/script|onclick|t\.example/)
  })

  it('forwards an email with its files and the added ones', async () => {
    const owner = await createMailboxOwner(post)
    const original = boxOf(owner)
      .list()
      .find(({ attachments, labels }) => attachments.length > 0 && labels.has('INBOX'))!
    const answers = { messageId: original.id, threadId: original.threadId }
    const draft = await save(owner, { kind: 'forward', answers, subject: `Fwd: ${original.subject}` })
    const added = await upload(owner, draft.id, 'Überblick.pdf', pdf)
    expect(added.status).toBe(201)
    expect(await added.json()).toMatchObject({ name: 'Überblick.pdf', mimeType: 'application/pdf', size: pdf.length })
    await owner.client.mailbox.sendDraft({ id: draft.id, version: 1 })
    await gone(owner, draft.id)
    const sent = sentBy(owner).find(({ subject }) => subject === `Fwd: ${original.subject}`)!
    expect(sent.attachments.map(({ filename }) => filename)).toEqual([
      ...original.attachments.map(({ filename }) => filename),
      'Überblick.pdf',
    ])
    expect(sent.attachments.at(-1)!.content().equals(pdf)).toBe(true)
    expect(sent.attachments[0]!.content().equals(original.attachments[0]!.content())).toBe(true)
    expect(sent.threadId).not.toBe(original.threadId)
  })

  it('checks files like documents, limits them to 18 MB, and lets them be removed', async () => {
    const owner = await createMailboxOwner(post)
    const draft = await save(owner)
    const refused = await upload(owner, draft.id, 'run.exe', Buffer.from('MZ\u0090\u0000'))
    expect(refused.status).toBe(422)
    expect((await upload(owner, draft.id, 'empty.pdf', Buffer.alloc(0))).status).toBe(422)
    const large = Buffer.concat([pdf.subarray(0, 9), Buffer.alloc(10_000_000, '\n'), pdf.subarray(9)])
    const first = (await (await upload(owner, draft.id, 'one.pdf', large)).json()) as { id: string }
    expect(await (await upload(owner, draft.id, 'two.pdf', large)).json()).toMatchObject({ code: 'TOO_LARGE' })
    const without = await owner.client.mailbox.removeFile({ id: draft.id, fileId: first.id })
    expect(without.files).toEqual([])
  })

  it('refuses to send without recipients, and names the field', async () => {
    const owner = await createMailboxOwner(post)
    const draft = await save(owner, { to: [] })
    const refused = await refusal(owner.client.mailbox.sendDraft({ id: draft.id, version: 1 }))
    expect(refused).toMatchObject({ status: 422, code: 'NO_RECIPIENT', data: { fields: { to: 'Add a recipient' } } })
    const bad = await refusal(save(owner, { to: [{ name: 'X', email: 'ana@elsewhere.example\r\nBcc: all@clinic.example' }] }))
    expect(bad).toMatchObject({ status: 422, data: { fields: { 'to.0.email': 'This is not an email address' } } })
    const many = Array.from({ length: 101 }, (_, n) => ({ name: '', email: `p${n}@elsewhere.example` }))
    expect(await refusal(save(owner, { to: many }))).toMatchObject({ data: { fields: { to: 'At most 100 recipients' } } })
  })

  it('does not let text in a name or subject add a header', async () => {
    const owner = await createMailboxOwner(post, 'gmail')
    const subject = 'Hello\r\nBcc: all@clinic.example'
    const draft = await save(owner, { subject, to: [{ name: 'A\r\nBcc: all@clinic.example', email: ana.email }] })
    await owner.client.mailbox.sendDraft({ id: draft.id, version: 1 })
    await gone(owner, draft.id)
    const [sent] = post.gmail
      .mailbox(owner.email)
      .list()
      .filter(({ labels }) => labels.has('SENT'))
    expect(sent!.bcc).toEqual([])
    expect([...sent!.to, ...sent!.cc].map(({ email }) => email)).toEqual([ana.email])
  })

  it('does not send again when the reply was lost after sending: it finds the email among the sent ones', async () => {
    const owner = await createMailboxOwner(post)
    const subject = `Lost ${crypto.randomUUID()}`
    const draft = await save(owner, { subject })
    post.nylas.fault({ kind: 'dropAfter', match: 'POST /v3/grants/[^/]+/messages/send' })
    await owner.client.mailbox.sendDraft({ id: draft.id, version: 1 })
    await failedOnce(draft.id)
    await retry(draft.id)
    await gone(owner, draft.id)
    expect(sentBy(owner).filter((message) => message.subject === subject)).toHaveLength(1)
  })

  it('asks the writer, who may send again, when the connection failed before sending', async () => {
    const owner = await createMailboxOwner(post)
    const subject = `Unsure ${crypto.randomUUID()}`
    const draft = await save(owner, { subject })
    post.nylas.fault({ kind: 'dropBefore', match: 'POST /v3/grants/[^/]+/messages/send' })
    await owner.client.mailbox.sendDraft({ id: draft.id, version: 1 })
    await failedOnce(draft.id)
    await retry(draft.id)
    const unsure = await until(async () => (await owner.client.mailbox.drafts()).find(({ state }) => state === 'unsure'))
    expect(unsure.problem).toContain('Look for it before you send it again')
    expect(sentBy(owner).filter((message) => message.subject === subject)).toHaveLength(0)
    await owner.client.mailbox.sendDraft({ id: draft.id, version: unsure.version })
    await gone(owner, draft.id)
    expect(sentBy(owner).filter((message) => message.subject === subject)).toHaveLength(1)
  })

  it('never claims that an email was not sent when the mailbox is disconnected after a lost reply', async () => {
    const owner = await createMailboxOwner(post)
    const subject = `Left ${crypto.randomUUID()}`
    const draft = await save(owner, { subject })
    post.nylas.fault({ kind: 'dropAfter', match: 'POST /v3/grants/[^/]+/messages/send' })
    await owner.client.mailbox.sendDraft({ id: draft.id, version: 1 })
    await failedOnce(draft.id)
    expect(sentBy(owner).filter((message) => message.subject === subject)).toHaveLength(1)
    await owner.client.mailbox.disconnect()
    await retry(draft.id)
    const unsure = await until(async () => (await owner.client.mailbox.drafts()).find(({ state }) => state !== 'sending'))
    expect(unsure).toMatchObject({ state: 'unsure', problem: expect.stringContaining('Look for it before you send it again') })
  })

  it('returns an email with unreadable files to its writer for correction', async () => {
    const owner = await createMailboxOwner(post)
    const draft = await save(owner)
    const { id: fileId } = (await (await upload(owner, draft.id, 'Plan.pdf', pdf)).json()) as { id: string }
    const [{ key } = { key: '' }] = await post.server.rows<{ key: string }>(
      'select storage_key as key from mailbox_draft_files where id = $1',
      [fileId],
    )
    const folder = path.join(post.server.running.runtime.env.DATA_DIR, 'files')
    const [name] = (await fs.readdir(folder, { recursive: true })).filter((one) => one.endsWith(key.replaceAll('/', '.')))
    await fs.rm(path.join(folder, name!))
    await fs.mkdir(path.join(folder, name!)) // is opened, and cannot be read
    await owner.client.mailbox.sendDraft({ id: draft.id, version: 1 })
    await failedOnce(draft.id)
    expect(await owner.client.mailbox.draft({ id: draft.id })).toMatchObject({ state: 'sending' })
    await jobOf(draft.id, 'attempts = max_attempts - 1')
    await retry(draft.id)
    const failed = await until(async () => (await owner.client.mailbox.drafts()).find(({ state }) => state === 'failed'))
    expect(failed.problem).toContain('Nothing was sent')
    await owner.client.mailbox.removeFile({ id: draft.id, fileId })
    await owner.client.mailbox.sendDraft({ id: draft.id, version: failed.version })
    await gone(owner, draft.id)
  })

  it('sends later when the mailbox is unavailable or busy', async () => {
    const owner = await createMailboxOwner(post)
    const subject = `Later ${crypto.randomUUID()}`
    const draft = await save(owner, { subject })
    post.nylas.fault({ kind: 'status', status: 429, retryAfter: 1, match: 'POST /v3/grants/[^/]+/messages/send' })
    await owner.client.mailbox.sendDraft({ id: draft.id, version: 1 })
    expect(await refusal(save(owner, { id: draft.id, text: 'Too late', version: 1 }))).toMatchObject({ status: 409, code: 'SENDING' })
    await failedOnce(draft.id)
    await retry(draft.id)
    await gone(owner, draft.id)
    expect(sentBy(owner).filter((message) => message.subject === subject)).toHaveLength(1)
  })

  it('sends nothing for a user who was disabled in the meantime, and keeps the draft (spec 9)', async () => {
    const owner = await createMailboxOwner(post)
    const subject = `Withdrawn ${crypto.randomUUID()}`
    const draft = await save(owner, { subject })
    post.nylas.fault({ kind: 'status', status: 429, retryAfter: 1, match: 'POST /v3/grants/[^/]+/messages/send' })
    await owner.client.mailbox.sendDraft({ id: draft.id, version: 1 })
    await failedOnce(draft.id)
    await post.server.rows(`update profiles set status = 'disabled' where id = $1`, [owner.account.id])
    await retry(draft.id)
    const state = async () =>
      (await post.server.rows<{ state: string }>('select state from mailbox_drafts where id = $1', [draft.id]))[0]?.state
    await until(async () => (await state()) === 'failed')
    expect(sentBy(owner).filter((message) => message.subject === subject)).toHaveLength(0)
  })

  it('reports an email that the provider refuses or whose original is gone, and lets it be corrected', async () => {
    const owner = await createMailboxOwner(post)
    const lost = await save(owner, { kind: 'reply', answers: { messageId: 'made-up', threadId: 'made-up' } })
    await owner.client.mailbox.sendDraft({ id: lost.id, version: 1 })
    const failed = await until(async () => (await owner.client.mailbox.drafts()).find(({ state }) => state === 'failed'))
    expect(failed.problem).toBe('The email that this answers is no longer in your mailbox.')
    const mended = await save(owner, { id: lost.id, version: failed.version, kind: 'new' })
    expect(mended).toMatchObject({ state: 'draft', problem: null })
  })

  it('keeps the draft when the grant has ended, and says what to do', async () => {
    const owner = await createMailboxOwner(post)
    const draft = await save(owner)
    await post.nylas.setWebhook(undefined)
    await post.nylas.expire(post.nylas.grants().find(({ email }) => email === owner.email)!.id)
    await owner.client.mailbox.sendDraft({ id: draft.id, version: 1 })
    const failed = await until(async () => (await owner.client.mailbox.drafts()).find(({ state }) => state === 'failed'))
    expect(failed.problem).toContain('Connect it again')
    expect(await refusal(owner.client.mailbox.sendDraft({ id: draft.id, version: 1 }))).toMatchObject({ status: 409, code: 'RECONNECT' })
    await owner.client.mailbox.disconnect()
    expect(await owner.client.mailbox.drafts()).toHaveLength(1)
    expect(await refusal(save(owner))).toMatchObject({ status: 409, code: 'NOT_CONNECTED' })
  })
})
