import { useReducer, useState } from 'react'
import { usePatientCustomer } from './customer/usePatientCustomer.ts'
import { changeSale, emptySale, totalsOfSale } from './sale.ts'
import { useQuickBooksLists } from './useQuickBooksLists.ts'

export type SaleEntry = ReturnType<typeof useSaleEntry>

/** The sale as it is entered, with the QuickBooks lists and the patient's customer that it is entered from. */
export function useSaleEntry(contactId: string | null) {
  const quickBooks = useQuickBooksLists()
  const patient = usePatientCustomer(contactId)
  const [sale, change] = useReducer(changeSale, emptySale)
  const [isSearchUnavailable, setSearchUnavailable] = useState(false)

  const codes = quickBooks.taxCodes.data?.taxCodes ?? []
  const accounts = quickBooks.accounts.data?.accounts
  const account = accounts?.length === 1 ? accounts[0]!.Id : (quickBooks.accounts.data?.lastUsedAccount ?? null)
  const own = patient.customer?.email ? patient.customer : null
  // Preselected once: the only or last used account, and the patient's customer.
  const [preselected, setPreselected] = useState({ account: false, customer: false })
  if (account && !preselected.account) {
    setPreselected({ ...preselected, account: true })
    change({ do: 'set', change: { depositAccountId: account } })
  } else if (own && !preselected.customer) {
    setPreselected({ ...preselected, customer: true })
    change({ do: 'set', change: { customer: own } })
  }

  const lists = [quickBooks.accounts.data, quickBooks.classes.data, quickBooks.taxCodes.data]
  const isUnavailable = isSearchUnavailable || lists.some((list) => list?.isUnavailable)
  const readAt = lists.find((list) => list?.readAt)?.readAt ?? null

  return {
    sale,
    change,
    totals: totalsOfSale(sale, codes),
    quickBooks,
    codes,
    patient,
    /** When the QuickBooks lists were last read; set while QuickBooks is down. */
    outage: isUnavailable ? { readAt } : null,
    /** Reports whether QuickBooks could be searched for customers. */
    setSearchUnavailable,
  }
}
