/** The tax codes of an Ontario company, each with a sales rate and, if purchases are taxed, a purchase rate. */
import type { Entity } from '../entity.ts'
import { record } from './record.ts'

/** `rateId` is the id of the sales rate; the purchase rate has the next one. */
const codes = [
  { id: 2, name: 'HST ON', description: 'Harmonized sales tax, Ontario', percent: 13, rateId: 3, rateName: 'HST ON' },
  { id: 3, name: 'GST', description: 'Goods and services tax', percent: 5, rateId: 5, rateName: 'GST' },
  {
    id: 4,
    name: 'GST 5% ON SALES',
    description: 'Goods and services tax, on sales only',
    percent: 5,
    rateId: 7,
    rateName: 'GST 5% (sales)',
  },
  { id: 5, name: 'Zero-rated', description: 'Taxable at 0 %', percent: 0, rateId: 9, rateName: 'GST/HST (ZR)' },
  { id: 6, name: 'Exempt', description: 'Exempt from tax', percent: 0, rateId: 11, rateName: 'GST/HST Exempt' },
  { id: 7, name: 'Out of Scope', description: 'No tax', percent: 0, rateId: 13, rateName: 'No tax' },
  { id: 8, name: 'QST 9.975%', description: 'Québec sales tax', percent: 9.975, rateId: 15, rateName: 'QST' },
] as const

const rateOf = (Id: number, Name: string, RateValue: number, agency: string): Entity =>
  record(Id, {
    Name,
    Description: Name,
    Active: true,
    RateValue,
    AgencyRef: { value: agency },
    SpecialTaxType: RateValue === 0 ? 'ZERO_RATE' : 'NONE',
    DisplayType: 'ReadOnly',
    EffectiveTaxRate: [{ RateValue, EffectiveDate: '2010-07-01T00:00:00-07:00' }],
  })

export const taxRates: readonly Entity[] = codes.flatMap(({ name, percent, rateId, rateName }) => {
  const agency = name.startsWith('QST') ? '2' : '1'
  return [rateOf(rateId, rateName, percent, agency), rateOf(rateId + 1, `${rateName} (ITC)`, percent, agency)]
})

const listOf = (value: number, name: string) => ({
  TaxRateDetail: [{ TaxRateRef: { value: String(value), name }, TaxTypeApplicable: 'TaxOnAmount', TaxOrder: 0 }],
})

export const taxCodes: readonly Entity[] = codes.map(({ id, name, description, percent, rateId, rateName }) =>
  record(id, {
    Name: name,
    Description: description,
    Active: true,
    Hidden: false,
    Taxable: percent !== 0 || name === 'Zero-rated',
    TaxGroup: true,
    SalesTaxRateList: listOf(rateId, rateName),
    PurchaseTaxRateList: name === 'GST 5% ON SALES' ? { TaxRateDetail: [] } : listOf(rateId + 1, `${rateName} (ITC)`),
  }),
)

/** A reference to a tax code by name. */
export function findTaxCode(name: (typeof codes)[number]['name']): { value: string; name: string } {
  return { value: String(codes.find((code) => code.name === name)?.id), name }
}
