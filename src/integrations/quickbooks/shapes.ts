/** What QuickBooks Online answers, as far as it is used here. Each object has far more; what is not listed is dropped. */
import { z } from 'zod'

const reference = z.object({ value: z.string(), name: z.string().optional() })
const address = z.object({ Address: z.string().optional() })
const active = z.boolean().default(true)

export const customer = z.object({
  Id: z.string(),
  SyncToken: z.string(),
  DisplayName: z.string(),
  GivenName: z.string().optional(),
  FamilyName: z.string().optional(),
  PrimaryEmailAddr: address.optional(),
  Active: active,
})
export type Customer = z.output<typeof customer>

export const item = z.object({
  Id: z.string(),
  Name: z.string(),
  Description: z.string().optional(),
  /** In dollars. */
  UnitPrice: z.number().optional(),
  Type: z.string(),
  SalesTaxCodeRef: reference.optional(),
  Active: active,
})
export type Item = z.output<typeof item>

const account = z.object({
  Id: z.string(),
  Name: z.string(),
  AccountType: z.string(),
  AccountSubType: z.string().optional(),
  Active: active,
})

const salesClass = z.object({ Id: z.string(), Name: z.string(), FullyQualifiedName: z.string().optional(), Active: active })

const taxCode = z.object({
  Id: z.string(),
  Name: z.string(),
  Taxable: z.boolean().optional(),
  SalesTaxRateList: z.object({ TaxRateDetail: z.array(z.object({ TaxRateRef: reference })) }).optional(),
  Active: active,
})

const taxRate = z.object({ Id: z.string(), Name: z.string(), RateValue: z.number().optional(), Active: active })

const paymentMethod = z.object({ Id: z.string(), Name: z.string(), Active: active })

export const companyInfo = z.object({ CompanyName: z.string(), Country: z.string().optional() })

export const preferences = z.object({
  CurrencyPrefs: z.object({ HomeCurrency: reference.optional() }).optional(),
  TaxPrefs: z.object({ UsingSalesTax: z.boolean().optional() }).optional(),
})

/** A sales receipt or a refund receipt as it was kept. Amounts are dollars. */
export const receipt = z.object({
  Id: z.string(),
  SyncToken: z.string(),
  DocNumber: z.string().optional(),
  TotalAmt: z.number(),
  TxnTaxDetail: z.object({ TotalTax: z.number().optional() }).optional(),
})

/** Money moved to a bank account from other accounts. In dollars. */
export const deposit = z.object({ Id: z.string(), TotalAmt: z.number() })

/** What a query may ask for, and what each is. */
export const queried = {
  Customer: customer,
  Item: item,
  Account: account,
  Class: salesClass,
  TaxCode: taxCode,
  TaxRate: taxRate,
  PaymentMethod: paymentMethod,
  SalesReceipt: receipt,
} as const
export type Queried = typeof queried

export const fault = z.object({
  Fault: z.object({
    Error: z.array(
      z.object({
        Message: z.string().optional(),
        Detail: z.string().optional(),
        code: z.string().optional(),
        element: z.string().optional(),
      }),
    ),
    type: z.string().optional(),
  }),
})

export const tokens = z.object({
  access_token: z.string().min(1),
  /** Seconds. */
  expires_in: z.number(),
  refresh_token: z.string().min(1),
  x_refresh_token_expires_in: z.number(),
})
export const tokenRefusal = z.object({ error: z.string() })
