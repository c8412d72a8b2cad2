/** 300 products and services, derived from the catalogue, and the item for deposits. */
import type { Entity } from '../entity.ts'
import * as catalogue from './catalogue.ts'
import { findAccount } from './chart.ts'
import { record } from './record.ts'
import { findTaxCode } from './taxes.ts'

type Line = {
  name: string
  dollars: number
  description: string
  income: string
  kind: 'Service' | 'NonInventory' | 'Inventory'
  exempt?: boolean
}

const sizes = ['XS', 'S', 'M', 'L', 'XL', 'XXL']

const services: readonly Line[] = [
  ...catalogue.cosmeticSurgery.flatMap((entry) => surgery(entry, false)),
  ...catalogue.reconstructiveSurgery.flatMap((entry) => surgery(entry, true)),
  ...catalogue.facility.map((entry) => service(entry, 'Facility and anaesthesia fees')),
  ...catalogue.consultations.map((entry) => service(entry, 'Consultation fees')),
  ...catalogue.injectables.map((entry) => service(entry, 'Injectables')),
  ...catalogue.laserAreas.flatMap(([name, dollars]) => [
    service([name, dollars], 'Laser and skin treatments', `${name}, one session`),
    service([`${name}, 6 sessions`, dollars * 5], 'Laser and skin treatments', `${name}, six sessions for the price of five`),
  ]),
]

const products: readonly Line[] = [
  ...catalogue.retail.map((entry) => product(entry, 'Inventory')),
  ...sizes.flatMap((size) => catalogue.garments.map(([name, dollars]) => product([`${name}, ${size}`, dollars], 'NonInventory'))),
]

/** What is a liability until it is used, and no supply that is taxed; and the practice's goodwill. */
const untaxed = (
  [
    ['Patient deposit', 'Deposit towards treatment', 'Patient deposits'],
    ['Gift card', 'Gift card', 'Gift cards and credit'],
    ['Package', 'Sessions paid in advance', 'Packages'],
    ['Store credit', 'Credit towards treatment', 'Gift cards and credit'],
    ['Goodwill', 'Credit given by the practice', 'Goodwill'],
    ['Financing fee', 'Kept by the financing company', 'Financing fees'],
  ] as const
).map(([name, description, account], index) =>
  record(products.length + services.length + 1 + index, {
    Name: name,
    FullyQualifiedName: name,
    Description: description,
    Active: true,
    Sku: `D-000${index + 1}`,
    Type: 'Service',
    UnitPrice: 0,
    Taxable: false,
    SalesTaxIncluded: false,
    SalesTaxCodeRef: findTaxCode('Out of Scope'),
    IncomeAccountRef: findAccount(account),
    TrackQtyOnHand: false,
  }),
)

/** Every 37th is inactive, which QuickBooks shows in the name. */
const catalogued: readonly Entity[] = [...services, ...products].map((line, index) => {
  const active = index % 37 !== 36
  const name = active ? line.name : `${line.name} (deleted)`
  return record(index + 1, {
    Name: name,
    FullyQualifiedName: name,
    Description: line.description,
    Active: active,
    Sku: `${line.kind === 'Service' ? 'S' : 'P'}-${String(index + 1).padStart(4, '0')}`,
    Type: line.kind,
    UnitPrice: line.dollars,
    Taxable: !line.exempt,
    SalesTaxIncluded: false,
    SalesTaxCodeRef: findTaxCode(line.exempt ? 'Exempt' : 'HST ON'),
    IncomeAccountRef: findAccount(line.income),
    TrackQtyOnHand: line.kind === 'Inventory',
    ...(line.kind !== 'Service' && { ExpenseAccountRef: findAccount('Cost of goods sold'), PurchaseCost: Math.round(line.dollars / 2) }),
    ...(line.kind === 'Inventory' && { QtyOnHand: 40, InvStartDate: '2024-01-15', AssetAccountRef: findAccount('Inventory Asset') }),
  })
})

export const items: readonly Entity[] = [...catalogued, ...untaxed]

function surgery([name, dollars]: catalogue.Priced, exempt: boolean): Line[] {
  const income = 'Surgical fees'
  return [
    { name, dollars, description: `${name}: surgeon's fee`, income, kind: 'Service', exempt },
    {
      name: `${name}, after-care`,
      dollars: Math.max(95, Math.round(dollars / 20)),
      description: `${name}: dressings and visits in the first six weeks`,
      income,
      kind: 'Service',
      exempt,
    },
  ]
}

function service([name, dollars]: catalogue.Priced, income: string, description: string = name): Line {
  return { name, dollars, description, income, kind: 'Service' }
}

function product([name, dollars]: catalogue.Priced, kind: 'NonInventory' | 'Inventory'): Line {
  return { name, dollars, description: name, income: 'Retail product sales', kind }
}
