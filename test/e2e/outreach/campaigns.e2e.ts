import fs from 'node:fs'
import { makeDue, untilNoneLeft } from '../../jobs.ts'
import { exportAs } from '../support/export.ts'
import { type Clinic, expect, test } from '../support/clinic.ts'

/** How many of the 2,000 patients are refused for each reason. */
const refused = {
  'No email address': 40,
  'Emails to the address bounce': 40,
  'Marked an email as spam': 30,
  'Unsubscribed from commercial email': 50,
  'No consent to commercial email': 100,
  'Another patient has the same address': 40,
}

/** Adds 2,000 patients with this last name, of whom 1,700 may be sent commercial email, each with an address of this name’s own domain. */
async function addPatients({ rows }: Clinic, lastName: string): Promise<void> {
  await rows(
    `with stage as (select id from funnel_stages where value = 'lead')
     insert into contacts (first_name, last_name, email, funnel_stage)
     select 'P' || n, $1, case when n <= 40 then null when n <= 80 then 'p' || n + 1000 || '@' else 'p' || n || '@' end || $1 || '.example', stage.id
     from generate_series(2000, 1, -1) as n, stage`,
    [lastName],
  )
  await rows(
    `insert into consents (contact_id, basis, source, given_at)
     select id, 'express', 'paper', now() from contacts where last_name = $1 and substr(first_name, 2)::int not between 81 and 180`,
    [lastName],
  )
  await rows(
    `insert into suppressed_addresses (address, reason, unsubscribed_at, since)
     select email, case when n <= 220 then 'bounce' when n <= 250 then 'complaint' end, case when n > 250 then now() end, now()
     from (select email, substr(first_name, 2)::int as n from contacts where last_name = $1) as patient where n between 181 and 300`,
    [lastName],
  )
}

test.describe('campaigns', () => {
  test('one to 2,000 patients refuses the 300 that its check names, pauses in the middle, and sends 1,700 one email each (issue 28) @journey', async ({
    open,
    clinic,
  }) => {
    // Sending gives way to the browsers, so that it may take long.
    test.setTimeout(300_000)
    const name = `q${crypto.randomUUID().slice(0, 8)}`
    await addPatients(clinic, name)
    const page = await open('sales', `/campaigns?search=${name}`)
    const template = { name: 'Spring', subject: 'Spring hours', body: 'Hello {{first_name}}', category: 'marketing' }
    expect((await page.request.post('/api/email-templates', { data: template })).status()).toBe(200)

    const dialog = page.getByRole('dialog', { name: 'New campaign' })
    await dialog.getByLabel('Name').fill('Spring')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: 'Spring' }).click()
    await page.getByLabel('Maximum messages per hour').fill('100000')
    await page.getByRole('button', { name: 'Save draft' }).click()

    const check = page.getByRole('region', { name: 'Before sending' })
    await expect(check.getByText('1,700')).toBeVisible()
    await expect(check.getByText('of 2,000 patients would receive this now')).toBeVisible()
    const fileOf = async () => {
      const download = page.waitForEvent('download')
      await exportAs(page, 'CSV')
      return fs.readFileSync(await (await download).path(), 'utf8')
    }
    const before = await fileOf()
    const countOf = (reason: string) => before.split('\r\n').filter((line) => line.endsWith(`,${reason}`)).length
    for (const [reason, count] of Object.entries(refused)) {
      await expect(check.getByText(reason).locator('xpath=following-sibling::dd')).toHaveText(String(count))
      expect([reason, countOf(reason)]).toEqual([reason, count])
    }

    await page.getByRole('button', { name: 'Send…' }).click()
    await page.getByRole('button', { name: 'Send to 1,700 patients' }).click()
    const id = page.url().split('/').at(-1)
    const countSent = async () => {
      const ofCampaign = `select count(*)::int as n from campaign_recipients where campaign_id = $1 and state = 'sent'`
      return (await clinic.rows<{ n: number }>(ofCampaign, [id]))[0]!.n
    }
    await expect.poll(countSent, { intervals: [100], timeout: 60_000 }).toBeGreaterThan(500)
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
    await untilNoneLeft(clinic, 'campaigns.send')
    const sent = await countSent()
    expect(sent).toBeLessThan(1_700)
    await expect(page.getByText(`${sent.toLocaleString('en-CA')} of 1,700`)).toBeVisible()
    const emails = () => clinic.outbox.messages.filter(({ To }) => To?.endsWith(`@${name}.example`)).map(({ To }) => To!)
    await expect.poll(() => emails().length, { timeout: 30_000 }).toBe(sent)

    await page.getByRole('button', { name: 'Resume' }).click()
    // The minutes of its pace pass.
    const isDone = async () => {
      await clinic.rows(
        `update campaign_recipients set sent_at = sent_at - interval '1 minute' where campaign_id = $1 and state = 'sent'`,
        [id],
      )
      await makeDue(clinic, `key = 'campaign ${id}'`)
      return page.getByText('1,700 of 1,700').isVisible()
    }
    await expect.poll(isDone, { timeout: 180_000 }).toBe(true)
    await expect.poll(() => emails().length, { timeout: 60_000 }).toBe(1_700)
    const allowed = Array.from({ length: 1_700 }, (_, n) => `p${n + 301}@${name}.example`)
    expect(emails().toSorted()).toEqual(allowed.toSorted())
    // What was refused is what the check had said.
    expect(await fileOf()).toBe(before)
  })
})
