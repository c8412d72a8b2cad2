import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startProcess } from '../../../test/processes/process.ts'
import { useServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

describe('the self-test of a new version', () => {
  const server = useServer()
  const started: ReturnType<typeof startProcess>[] = []
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-self-test-'))
  afterAll(async () => {
    await Promise.all(started.map((child) => child.stop()))
    fs.rmSync(folder, { recursive: true })
  })
  const start = async (settings: Record<string, string> = {}) => {
    const child = startProcess({ DATABASE_URL: server.databaseUrl, LOG_LEVEL: 'info', ...settings })
    started.push(child)
    await child.ready()
    return child
  }
  const entries = () => server.rows("select after from audit_log where kind = 'version'")
  const stop = async (child: ReturnType<typeof startProcess>) => {
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  }

  it('reports what fails to each active administrator, as a task that is due at once', async () => {
    const admins = [await server.account({ role: 'admin' }), await server.account({ role: 'admin' })]
    const other = await server.account({ role: 'sales_rep' })
    await server.rows('alter table contacts add constraint nothing check (false) not valid')
    // A file is in the place of the folder for documents.
    fs.writeFileSync(path.join(folder, 'files'), '')
    const child = await start({ DATA_DIR: folder })
    await until(async () => (await entries()).length === 1)

    const failures = [
      'A patient could not be added to the database.',
      'A file could not be written, read and deleted. Check the free space and permissions of the DATA_DIR folder.',
    ]
    const [entry] = await entries()
    expect(entry).toEqual({ after: { version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string, failures } })
    expect(child.output()).toMatch(/"reason":"A patient could not be added.*The self-test of version \d+\.\d+\.\d+ failed/)
    const tasks = await server.rows<{ assigned_to: string }>(
      "select title, description, assigned_to, remind_at <= now() as is_due from tasks where title like '%failed its self-test' and assigned_to = any($1)",
      [[...admins, other].map(({ id }) => id)],
    )
    expect(tasks.map(({ assigned_to }) => assigned_to).toSorted()).toEqual(admins.map(({ id }) => id).toSorted())
    for (const task of tasks) expect(task).toMatchObject({ is_due: true, description: expect.stringContaining(failures[1]!) as string })
    await server.rows('alter table contacts drop constraint nothing')
    await stop(child)
  })

  it('runs once per version, whoever starts', async () => {
    await stop(await start())
    expect(await entries()).toHaveLength(1)
  })

  it('passes for another version, in one of two processes that start together, and leaves nothing', async () => {
    // As if the entry were that of an earlier version. Only the owner of the table can do that.
    await server.rows('alter table audit_log disable trigger user')
    await server.rows(`update audit_log set after = '{"version": "0.0.1"}' where kind = 'version'`)
    await server.rows('alter table audit_log enable trigger user')
    const count = () => server.rows('select (select count(*)::int from contacts) as contacts, (select count(*)::int from tasks) as tasks')
    const before = await count()
    const children = await Promise.all([start(), start()])
    await until(async () => (await entries()).length === 2)
    await Promise.all(children.map(stop))
    expect((await entries())[1]).toMatchObject({ after: { failures: [] } })
    expect(await entries()).toHaveLength(2)
    expect(await count()).toEqual(before)
    expect(await server.rows("select 1 from graphile_worker.jobs where task_identifier = 'self-test.pass'")).toEqual([])
  })
})
