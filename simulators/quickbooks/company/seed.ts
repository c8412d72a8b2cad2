/** The company's records at the start. */
import type { Entity, EntityType } from '../entity.ts'
import { accounts, classes, companyInfo, paymentMethods, preferences } from './chart.ts'
import { customers } from './customers.ts'
import { items } from './items.ts'
import { taxCodes, taxRates } from './taxes.ts'

export const seed: readonly (readonly [EntityType, readonly Entity[]])[] = [
  ['CompanyInfo', companyInfo],
  ['Preferences', preferences],
  ['Account', accounts],
  ['Class', classes],
  ['PaymentMethod', paymentMethods],
  ['TaxRate', taxRates],
  ['TaxCode', taxCodes],
  ['Item', items],
  ['Customer', customers],
  ['SalesReceipt', []],
  ['RefundReceipt', []],
]
