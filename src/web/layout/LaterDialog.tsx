import { CreditCard, SquareCheck } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../ui/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

const features = {
  task: {
    title: 'Create New Task',
    icon: <SquareCheck />,
    heading: 'Tasks are on their way',
    text: 'Here you will give a call, an email or a follow-up to one or more colleagues, with a due date and, if you like, a patient.',
  },
  payment: {
    title: 'Take Payment',
    icon: <CreditCard />,
    heading: 'Payments are on their way',
    text: 'Here you will choose a customer and items, see taxes and total, and create the sales receipt in QuickBooks.',
  },
}

export default function LaterDialog({ feature, onClose }: { feature: keyof typeof features; onClose: () => void }) {
  const { title, icon, heading, text } = features[feature]
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <DialogBody>
        <EmptyState icon={icon} title={heading} className="py-8">
          {text}
        </EmptyState>
      </DialogBody>
      <DialogFooter>
        <Button size="lg" onClick={onClose}>
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
