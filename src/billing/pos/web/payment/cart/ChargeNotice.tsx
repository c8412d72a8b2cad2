import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../../ui/client/api.ts'
import { Alert } from '../../../../../ui/display/Alert.tsx'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { formatMoney } from '../../../../../ui/format.ts'
import type { ChargeToPay } from '../../../../payments/web/embed/payment-dialog.ts'
import { cartOfQuote } from './quoted-cart.ts'
import type { Sale } from '../sale.ts'
import { discountToText } from './typed-amounts.ts'

interface ChargeNoticeProps {
  charge: ChargeToPay
  cart: Sale['cart']
  onAdd: (quoted: Pick<Sale, 'cart' | 'discount'>) => void
}

/** The charge that the payment is for. The items of an accepted quote can be added to the cart. */
export function ChargeNotice({ charge, cart, onAdd }: ChargeNoticeProps) {
  const { data } = useQuery(orpc.quotes.quotedItems.queryOptions({ input: { chargeId: charge.id }, enabled: charge.source === 'quote' }))
  const quoted = cartOfQuote(data?.lines ?? [])
  const canAdd = data !== undefined && quoted.cart.length > 0 && cart.length === 0
  return (
    <Alert
      tone="info"
      className="mb-5"
      action={
        canAdd && (
          <Button
            size="sm"
            onClick={() => onAdd({ cart: quoted.cart, discount: data.discountPercent > 0 ? discountToText(data.discountPercent) : '' })}
          >
            Add quoted items
          </Button>
        )
      }
    >
      Pays {charge.description}, of which {formatMoney(charge.openCents)} is open. Anything over that is kept as credit.
      {quoted.cart.length > 0 && quoted.left.length > 0 && ` Not in QuickBooks, add by hand: ${quoted.left.join(', ')}.`}
    </Alert>
  )
}
