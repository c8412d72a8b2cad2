import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import type { OwnConsent } from '../../src/chart/consent-forms/contract.ts'
import { encryptedStore } from '../../src/integrations/storage/encrypted.ts'
import { openLocalStore } from '../../src/integrations/storage/local.ts'
import { fileKeys } from '../../src/kernel/seal.ts'
import { hashToken, newToken } from '../../src/kernel/tokens.ts'
import { completeSigning, definitionOf } from '../chart/consent-forms.ts'
import { copyTemplate, testSecret } from '../database.ts'
import { insertContact } from '../factories.ts'
import { makeDue } from '../jobs.ts'
import { type ChildServer, startChildServer } from '../processes/process.ts'
import type { TestServer } from '../server.ts'
import { until } from '../until.ts'

/** `KILLS=50 npm test -- --unit test/durability/consent` runs the full test. */
const kills = Number(process.env.KILLS ?? 2)

it(
  `seals each acknowledged signature exactly once through ${kills} kills of the server`,
  {
    timeout: 60_000 + kills * 15_000,
  },
  async () => {
    const database = await copyTemplate(inject('postgres'))
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-test-consents-'))
    const owner = new pg.Client({ connectionString: database.url })
    await owner.connect()
    const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
    let server: ChildServer = await startChildServer(database.url, settings)
    onTestFinished(async () => {
      await server.kill('SIGTERM')
      await owner.end()
      await database.drop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    })
    const rows = async <Row>(text: string, values: unknown[] = []) => (await owner.query(text, values)).rows as Row[]
    const contactId = await insertContact({ rows } as unknown as TestServer)
    const token = newToken()
    await rows('insert into portal_sessions (token_hash, contact_id, created_at, last_seen_at) values ($1, $2, now(), now())', [
      hashToken(token),
      contactId,
    ])
    const [version] = await rows<{ id: string }>(
      `with template as (insert into consent_templates default values returning id)
       insert into consent_template_versions (template_id, number, definition, published_at) select id, 1, $1, now() from template returning id`,
      [JSON.stringify(definitionOf({ use: 'photos', scopes: ['chart'], intro: null }))],
    )
    const call = async <Result>(name: string, body: object): Promise<Result> => {
      const response = await fetch(`${server.url}/api/functions/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ contactId, sessionToken: token, ...body }),
      })
      expect(response.status).toBe(200)
      return (await response.json()) as Result
    }

    const signed: string[] = []
    for (let kill = 0; kill < kills; kill++) {
      const [form] = await rows<{ id: string }>(
        `insert into consent_forms (contact_id, version_id, sent_via, sent_at, language) values ($1, $2, 'link', now(), 'en') returning id`,
        [contactId, version!.id],
      )
      const { id } = form!
      const { texts, hashes } = await call<OwnConsent>('patient-consent-fetch', { id })
      await call('patient-consent-sign', { id, language: 'en', textHash: hashes.en, signing: completeSigning(texts.en) })
      signed.push(id)
      // At a random time between the answer and the sealed file.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 800))
      await server.kill('SIGKILL')
      server = await startChildServer(database.url, settings)
    }

    // As each hour: by now, jobs may have lost all their attempts with the processes that had taken them.
    await rows(`select graphile_worker.add_job('consent-forms.catch-up')`)
    const files = await until(async () => {
      await makeDue({ rows }, 'true')
      const found = await rows<{ form: string; key: string; sha256: string }>(
        'select consent_form_id as form, storage_key as key, sha256 from consent_files order by id',
      )
      return found.length >= signed.length && found
    })
    expect(files.map(({ form }) => form).toSorted()).toEqual(signed.toSorted())
    const store = encryptedStore(openLocalStore(path.join(dataDir, 'files')), {
      keys: fileKeys({ APP_SECRET: testSecret, OLD_APP_SECRETS: [] }),
    })
    for (const { key, sha256 } of files) {
      const found = await store.get(key)
      const bytes = Buffer.from(await new Response(found!.bytes).arrayBuffer())
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
    }
  },
)
