import { beforeAll, describe, expect, it } from 'vitest'
import { insertReportData, type ReportData } from '../../../test/reports.ts'
import { type Client, useServer } from '../../../test/server.ts'

const server = useServer({}, { now: () => new Date('2025-04-15T16:00:00Z') })
let data: ReportData
let admin: Client
beforeAll(async () => {
  data = await insertReportData(server.rows)
  admin = await server.as('admin')
})

const march = { report: 'referrals', period: 'custom', from: '2025-03-01', to: '2025-03-31' } as const
const rowsOf = (answer: Awaited<ReturnType<Client['reports']['run']>>, breakdown: string) =>
  Object.fromEntries(answer.breakdowns.find(({ key }) => key === breakdown)!.rows.map(({ name, now }) => [name, now]))

describe('the report on referrals', () => {
  it('counts the leads, bookings and revenue of each referrer: patients, and names in any case (issue 28)', async () => {
    const patients = await server.rows<{ id: string; isBooked: boolean; isLead: boolean; net: number }>(
      `select c.id, stage.kind = 'won' as "isBooked",
         (c.created_at at time zone 'America/Toronto')::date between '2025-03-01' and '2025-03-31' as "isLead",
         coalesce((select sum(receipt.subtotal_cents - receipt.discount_cents) from contact_customers as linked
           join sales_receipts as receipt using (customer_id)
           where linked.contact_id = c.id and receipt.state = 'complete'
             and (receipt.created_at at time zone 'America/Toronto')::date between '2025-03-01' and '2025-03-31'), 0)::int as net
       from contacts as c join funnel_stages as stage on stage.id = c.funnel_stage order by c.id`,
    )
    expect(patients.filter(({ isLead }) => isLead).length).toBeGreaterThan(3)
    const ana = await admin.contacts.create({ firstName: 'Ana', lastName: `Referrer ${data.mark}` })
    const groups = { ana: [] as typeof patients, okafor: [] as typeof patients }
    for (const [index, patient] of patients.entries()) {
      const isAna = index % 2 === 0
      groups[isAna ? 'ana' : 'okafor'].push(patient)
      await admin.referrals.setReferrer({
        contactId: patient.id,
        createTask: false,
        ...(isAna ? { patientId: ana.id } : { name: index % 4 === 1 ? 'Dr. Okafor' : 'DR. OKAFOR' }),
      })
    }
    const expected = (of: typeof patients) => {
      const leads = of.filter(({ isLead }) => isLead)
      const booked = leads.filter(({ isBooked }) => isBooked).length
      return {
        leads: leads.length,
        booked,
        rate: leads.length === 0 ? null : Math.round((100 * booked) / leads.length),
        net: of.reduce((sum, { net }) => sum + net, 0),
      }
    }
    const answer = await admin.reports.run(march)
    const byReferrer = rowsOf(answer, 'referrer')
    expect(
      Object.keys(byReferrer)
        .map((name) => name.toLowerCase())
        .toSorted(),
    ).toEqual([`ana referrer ${data.mark}`.toLowerCase(), 'dr. okafor'])
    expect(byReferrer[`Ana Referrer ${data.mark}`]).toEqual(expected(groups.ana))
    expect(byReferrer['Dr. Okafor'] ?? byReferrer['DR. OKAFOR']).toEqual(expected(groups.okafor))
    expect(rowsOf(answer, 'kind')).toEqual({ Patients: expected(groups.ana), 'Practices and other people': expected(groups.okafor) })
    const { leads, booked, net } = expected(patients)
    expect(Object.fromEntries(Object.entries(answer.figures).map(([key, { now }]) => [key, now]))).toMatchObject({ leads, booked, net })
  })
})
