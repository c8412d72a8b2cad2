/** The company: its accounts, classes and payment methods. */
import type { Entity } from '../entity.ts'
import { record } from './record.ts'

export const realmId = '9341453250000001'
export const companyName = 'Harbourview Plastic Surgery Inc.'

const address = {
  Id: '1',
  Line1: '214 Lakeshore Road East',
  City: 'Oakville',
  Country: 'Canada',
  CountrySubDivisionCode: 'ON',
  PostalCode: 'L6J 1H8',
}

export const companyInfo: readonly Entity[] = [
  record(1, {
    CompanyName: companyName,
    LegalName: companyName,
    CompanyAddr: address,
    LegalAddr: address,
    CustomerCommunicationAddr: address,
    PrimaryPhone: { FreeFormNumber: '(905) 555-0142' },
    Email: { Address: 'books@harbourview.example' },
    CompanyStartDate: '2024-01-15',
    FiscalYearStartMonth: 'January',
    Country: 'CA',
    SupportedLanguages: 'en',
    NameValue: [{ Name: 'OfferingSku', Value: 'QuickBooks Online Plus' }],
  }),
]

export const preferences: readonly Entity[] = [
  record(1, {
    AccountingInfoPrefs: {
      UseAccountNumbers: false,
      TrackDepartments: false,
      ClassTrackingPerTxn: false,
      ClassTrackingPerTxnLine: true,
      CustomerTerminology: 'Clients',
    },
    ProductAndServicesPrefs: { ForSales: true, QuantityWithPriceAndRate: true, QuantityOnHand: true },
    SalesFormsPrefs: { AllowDiscount: true, AllowDeposit: false, CustomTxnNumbers: false, UsingProgressInvoicing: false },
    TaxPrefs: { UsingSalesTax: true, PartnerTaxEnabled: false },
    CurrencyPrefs: { MultiCurrencyEnabled: false, HomeCurrency: { value: 'CAD' } },
  }),
]

const accountList: readonly (readonly [name: string, type: string, subType: string, classification: string])[] = [
  ['RBC Operating Chequing', 'Bank', 'Checking', 'Asset'],
  ['RBC Trust Savings', 'Bank', 'Savings', 'Asset'],
  ['TD Payroll Chequing', 'Bank', 'Checking', 'Asset'],
  ['Cash on hand clearing', 'Bank', 'CashOnHand', 'Asset'],
  ['Undeposited Funds', 'Other Current Asset', 'UndepositedFunds', 'Asset'],
  ['Moneris clearing', 'Other Current Asset', 'OtherCurrentAssets', 'Asset'],
  ['Stripe clearing', 'Other Current Asset', 'OtherCurrentAssets', 'Asset'],
  ['Inventory Asset', 'Other Current Asset', 'Inventory', 'Asset'],
  ['Accounts Receivable (A/R)', 'Accounts Receivable', 'AccountsReceivable', 'Asset'],
  ['Surgical equipment', 'Fixed Asset', 'MachineryAndEquipment', 'Asset'],
  ['Accounts Payable (A/P)', 'Accounts Payable', 'AccountsPayable', 'Liability'],
  ['RBC Visa Business', 'Credit Card', 'CreditCard', 'Liability'],
  ['GST/HST Payable', 'Other Current Liability', 'GlobalTaxPayable', 'Liability'],
  ['Patient deposits', 'Other Current Liability', 'OtherCurrentLiabilities', 'Liability'],
  ["Owner's Equity", 'Equity', 'OwnersEquity', 'Equity'],
  ['Retained Earnings', 'Equity', 'RetainedEarnings', 'Equity'],
  ['Surgical fees', 'Income', 'ServiceFeeIncome', 'Revenue'],
  ['Facility and anaesthesia fees', 'Income', 'ServiceFeeIncome', 'Revenue'],
  ['Consultation fees', 'Income', 'ServiceFeeIncome', 'Revenue'],
  ['Injectables', 'Income', 'ServiceFeeIncome', 'Revenue'],
  ['Laser and skin treatments', 'Income', 'ServiceFeeIncome', 'Revenue'],
  ['Retail product sales', 'Income', 'SalesOfProductIncome', 'Revenue'],
  ['Discounts given', 'Income', 'DiscountsRefundsGiven', 'Revenue'],
  ['Cost of goods sold', 'Cost of Goods Sold', 'SuppliesMaterialsCogs', 'Expense'],
  ['Medical supplies', 'Expense', 'SuppliesMaterials', 'Expense'],
  ['Merchant fees', 'Expense', 'BankCharges', 'Expense'],
  ['Rent', 'Expense', 'RentOrLeaseOfBuildings', 'Expense'],
  ['Payroll expenses', 'Expense', 'PayrollExpenses', 'Expense'],
  ['Advertising', 'Expense', 'AdvertisingPromotional', 'Expense'],
  ['Square clearing (deleted)', 'Other Current Asset', 'OtherCurrentAssets', 'Asset'],
  ['Gift cards and credit', 'Other Current Liability', 'OtherCurrentLiabilities', 'Liability'],
  ['Packages', 'Other Current Liability', 'OtherCurrentLiabilities', 'Liability'],
  ['Financing fees', 'Expense', 'BankCharges', 'Expense'],
  ['Goodwill', 'Income', 'DiscountsRefundsGiven', 'Revenue'],
]

export const accounts: readonly Entity[] = accountList.map(([Name, AccountType, AccountSubType, Classification], index) =>
  record(index + 1, {
    Name,
    FullyQualifiedName: Name,
    SubAccount: false,
    Active: !Name.endsWith('(deleted)'),
    Classification,
    AccountType,
    AccountSubType,
    CurrentBalance: 0,
    CurrentBalanceWithSubAccounts: 0,
    CurrencyRef: { value: 'CAD', name: 'Canadian Dollar' },
  }),
)

/** A reference to an account by name. */
export function findAccount(name: string): { value: string; name: string } {
  return { value: String(accountList.findIndex(([one]) => one === name) + 1), name }
}

const classNames = ['Oakville Surgery', 'Oakville Aesthetics', 'Mississauga', 'Burlington', 'Retail', 'Milton (deleted)']

export const classes: readonly Entity[] = classNames.map((Name, index) =>
  record(index + 1, { Name, FullyQualifiedName: Name, SubClass: false, Active: !Name.endsWith('(deleted)') }),
)

const methods = ['Cash', 'Cheque', 'Visa', 'Mastercard', 'Debit', 'E-transfer']

export const paymentMethods: readonly Entity[] = methods.map((Name, index) =>
  record(index + 1, { Name, Active: true, Type: Name === 'Visa' || Name === 'Mastercard' ? 'CREDIT_CARD' : 'NON_CREDIT_CARD' }),
)
