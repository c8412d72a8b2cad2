import { useQuery } from '@tanstack/react-query'
import { useReducer, useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { usePatientCustomer } from './customer/usePatientCustomer.ts'
import { changeSale, emptySale, totalsOfSale } from './sale.ts'
import { defaultAccount, useQuickBooksLists } from './useQuickBooksLists.ts'

export type SaleEntry = ReturnType<typeof useSaleEntry>

/** The sale as it is entered, with the QuickBooks lists and the patient's customer that it is entered from. */
export function useSaleEntry(contactId: string | null) {
  const quickBooks = useQuickBooksLists()
  const [patientId, setPatientId] = useState(contactId)
  const patient = usePatientCustomer(patientId)
  const [sale, change] = useReducer(changeSale, emptySale)
  const [isSearchUnavailable, setSearchUnavailable] = useState(false)

  const may = usePermission()
  const { data: sellable } = useQuery(orpc.prepaid.sellable.queryOptions({ enabled: may('prepaid.sellable') }))

  const codes = quickBooks.taxCodes.data?.taxCodes ?? []
  const account = defaultAccount(quickBooks)
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
    prepaidItems: sellable?.kinds.map(({ itemId }) => itemId) ?? [],
    patient,
    /** Enters the sale for another patient, as if the dialog had been opened from their page. */
    choosePatient: (id: string) => {
      setPatientId(id)
      setPreselected({ ...preselected, customer: false })
    },
    /** When the QuickBooks lists were last read; set while QuickBooks is down. */
    outage: isUnavailable ? { readAt } : null,
    /** Reports whether QuickBooks could be searched for customers. */
    setSearchUnavailable,
  }
}
