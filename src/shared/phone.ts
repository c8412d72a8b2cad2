/** '(905) 555-0142 x204'. Anything but a North American number is shown as typed. */
export function formatPhone(phone: string): string {
  const parts = /^([^a-z]*?)\s*(?:[;,]?\s*(?:x|ext\.?|extension)\s*(\d+))?\s*$/i.exec(phone.trim())
  const typed = parts?.[1] ?? ''
  // Ten digits after another country's code are not a North American number.
  const digits = /^\s*\+(?!\s*1)/.test(typed) ? '' : typed.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  if (digits.length !== 10) return phone.trim()
  const number = `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
  return parts?.[2] ? `${number} x${parts[2]}` : number
}
