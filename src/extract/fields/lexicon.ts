// What business documents call things, in several languages: one row a concept. Data, and the two lookups on it.
// `strong` phrases name the concept by themselves; `weak` ones give way to any other label on the same line.
// `names` are how schemas call it but documents do not. Phrases are parted by "|".

export type Reads =
  | "amount" | "number" | "count" | "percent" | "date" | "time" | "code" | "company" | "person" | "name" | "address" | "line" | "section"
  | "email" | "phone" | "url" | "iban" | "bic" | "vat" | "currency" | "title" | "list"; // biome-ignore format: a list of words

interface Row {
  reads: Reads;
  strong: string;
  weak?: string;
  names?: string;
}

const rows = {
  total: {
    reads: "amount",
    strong:
      "grand total|total amount|total amt|total payable|total to pay|net total|nett total|net amt|nett amt|net amount payable|nett amount|total sales|total sale|invoice total|order total|bill total|total bill|total price|total cost|final total|overall total|total rounded|rounded total|total after rounding|rounding total|total payment|total charge|total charges|total incl|total inc|total inclusive|total including|amount incl|total with tax|total with gst|total with vat|total gross|gross total|gross amount|total value|contract value|contract price|total fee|purchase price|total consideration|take out total|takeout total|eat in total|dine in total|total rm|total usd|total eur|total myr|gesamtbetrag|gesamtsumme|rechnungsbetrag|rechnungssumme|endbetrag|endsumme|bruttobetrag|gesamt brutto|summe brutto|bruttosumme|gesamtpreis|kaufpreis|auftragswert|montant total|total ttc|montant ttc|total general|prix total|importe total|total factura|importe con iva|precio total|totale fattura|importo totale|totale complessivo|totale documento|prezzo totale|valor total|total geral|montante total|totaalbedrag|eindtotaal|totaal incl|factuurbedrag|jumlah besar|jumlah keseluruhan|jumlah kena bayar|jumlah bayaran|total belanja|total bayar|kwota brutto|wartosc brutto|suma brutto|razem brutto|totalbelopp|summa att betala|totalsumma|toplam tutar|genel toplam|итого к оплате|всего к оплате|合計金額|総額|总金额|總金額|合计金额",
    weak: "total|ttl|amount|summe|gesamt|betrag|montant|importe|totale|totaal|jumlah|suma|razem|summa|totalt|toplam|yhteensa|итого|всего|合計|合计|总计|總計|total general|i alt|celkem|osszesen",
  },
  amount_due: {
    reads: "amount",
    strong:
      "amount due|balance due|total due|total amount due|amount payable|payable amount|amount to pay|to pay|please pay|outstanding balance|outstanding amount|balance payable|net payable|pay this amount|zu zahlen|zu zahlender betrag|zahlbetrag|offener betrag|restbetrag|fälliger betrag|net a payer|montant du|reste a payer|solde du|a payer|total a pagar|importe a pagar|saldo pendiente|totale da pagare|da pagare|netto a pagare|a pagar|te betalen|openstaand bedrag|do zaplaty|att betala|a betala|odenecek tutar|к оплате",
    weak: "due",
    names: "amount owed|due amount|payable",
  },
  subtotal: {
    reads: "amount",
    strong:
      "subtotal|sub total|net amount|total net|total excl|total ex|total excluding|total exclusive|total before tax|total before gst|total before vat|amount before tax|amount excl|taxable amount|net value|zwischensumme|nettobetrag|netto betrag|summe netto|nettosumme|gesamt netto|netto gesamt|sous total|total ht|montant ht|base imponible|subtotale|imponibile|totale imponibile|base tributavel|subtotaal|totaal excl|bedrag excl|jumlah kecil|kwota netto|wartosc netto|suma netto|razem netto|delsumma|netto belopp|ara toplam|小計|小计|小計",
    weak: "netto|net|nett|excl tax|excluding gst|excl gst|excluding tax|exclude gst|excl vat|excluding vat|exclusive of gst|exclusive gst|ht|before tax",
    names: "net total amount|total net amount|net sum|pretax|pre tax amount",
  },
  tax: {
    reads: "amount",
    strong:
      "total tax|tax amount|tax total|total gst|gst amount|gst total|total vat|vat amount|vat total|vat payable|sales tax|service tax|total sst|sst amount|state tax|hst|total igst|mwst betrag|umsatzsteuer|mehrwertsteuer|ust betrag|steuerbetrag|summe mwst|zzgl mwst|zzgl ust|enthaltene mwst|montant tva|total tva|dont tva|cuota iva|importe iva|total iva|importo iva|totale iva|imposta|valor iva|btw bedrag|totaal btw|cukai|cukai jualan|jumlah cukai|kwota vat|podatek vat|suma vat|moms|momsbelopp|kdv|ндс|消費税|税額|税额",
    weak: "tax|gst|vat|sst|mwst|ust|tva|iva|btw",
    names: "taxes|tax value|vat value",
  },
  tax_rate: {
    reads: "percent",
    strong:
      "tax rate|vat rate|gst rate|tax %|vat %|gst %|mwst %|ust %|mwst satz|steuersatz|ust satz|taux tva|tva %|tipo iva|iva %|aliquota|aliquota iva|btw %|btw tarief|taxa iva|stawka vat|vat proc|moms %|momssats",
    names: "tax percent|tax percentage|vat percent|vat percentage",
  },
  discount: {
    reads: "amount",
    strong:
      "discount|total discount|discount amount|less discount|disc|savings|total savings|you saved|member discount|rabatt|nachlass|skonto|remise|rabais|descuento|sconto|desconto|korting|diskaun|potongan|rabat|rabatter|indirim|скидка|割引|折扣",
  },
  shipping: {
    reads: "amount",
    strong:
      "shipping|shipping cost|shipping costs|shipping fee|delivery charge|delivery fee|freight|postage|shipping and handling|shipping & handling|versand|versandkosten|lieferkosten|frais de port|frais de livraison|livraison|gastos de envio|envio|spese di spedizione|spedizione|portes|verzendkosten|verzending|koszt wysylki|dostawa|frakt",
    names: "shipping amount|delivery cost|freight charge",
  },
  tip: {
    reads: "amount",
    strong:
      "tip|tips|gratuity|service charge|svc charge|serv charge|svc chrg|service chg|trinkgeld|pourboire|service compris|propina|servicio|mancia|coperto|gorjeta|fooi|caj perkhidmatan|serviceavgift|dricks",
  },
  rounding: {
    reads: "amount",
    strong:
      "rounding|rounding adj|rounding adjustment|round adj|round off|rounding amt|rnd adj|pelarasan|penggenapan|bundar|rundung|arrondi|redondeo|arrotondamento|afronding|oresavrundning|rounding amount|rounding diff",
  },
  paid: {
    reads: "amount",
    strong:
      "cash|cash received|cash tendered|tendered|amount tendered|tender|amount paid|amt paid|ttl cash|pay|paid|paid amount|payment|payment received|visa|mastercard|master card|visa card|master|debit|debit card|credit card|credit|amex|paypal|card|e wallet|ewallet|grabpay|touch n go|bayaran|tunai|bar|barzahlung|gegeben|karte|kartenzahlung|ec karte|girocard|bezahlt|especes|carte bancaire|carte|cb|paye|efectivo|tarjeta|entregado|contanti|pagato|carta|dinheiro|cartao|contant|pin|betaald|gotowka|karta|kontant|kort|voucher|less deposit|deposit paid|already paid|anzahlung|acompte",
    names: "amount received|cash paid|paid total",
  },
  change: {
    reads: "amount",
    strong:
      "change|change due|cash change|change amount|your change|baki|balance|ruckgeld|wechselgeld|zuruck|rendu|monnaie|monnaie rendue|a rendre|cambio|su cambio|resto|troco|wisselgeld|terug|kembali|kembalian|reszta|vaxel|para ustu|сдача|お釣り|找零",
  },
  quantity: {
    reads: "count",
    strong:
      "quantity|qty|total qty|total quantity|total item|total items|no of items|number of items|item count|items sold|item qty|total pcs|units|pieces|pcs|total no of items|stueck|stuck|menge|anzahl|stk|quantite|qte|nombre|cantidad|cant|unidades|uds|quantita|qta|q.ta|quantidade|qtd|qtde|aantal|kuantiti|bil item|jumlah item|jumlah kuantiti|ilosc|szt|antal|kpl|adet|miktar|количество|кол во|数量|數量",
    weak: "items|item|count",
    names: "amount of units|number of units|unit count|qty ordered",
  },
  unit: {
    reads: "line",
    strong:
      "unit|uom|u/m|unit of measure|einheit|einh|me|unite|unidad|unita|um|u.m|unidade|eenheid|jm|j.m|jednostka|enhet",
  },
  unit_price: {
    reads: "amount",
    strong:
      "unit price|u/price|uprice|u.price|price per unit|price each|unit cost|unit rate|rate|s/price|selling price|price|price/unit|each|unit amount|per unit|einzelpreis|e preis|stuckpreis|preis|preis je einheit|ep|prix unitaire|prix unit|p.u|pu ht|prix|precio unitario|precio unit|p unitario|precio|prezzo unitario|prezzo unit|prezzo|preco unitario|preco unit|preco|vl unit|eenheidsprijs|stukprijs|prijs|prijs per stuk|harga|harga seunit|harga satuan|cena jednostkowa|cena netto|cena|a pris|a-pris|styckpris|enhetspris|birim fiyat|fiyat|цена|単価|单价|單價",
  },
  line_amount: {
    reads: "amount",
    strong:
      "line total|line amount|extended price|ext price|ext amount|extension|item total|amount rm|amt rm|amt|amount usd|amount eur|total rm|value|gesamtpreis|gesamt|g preis|gp|betrag eur|montant ht|total ligne|importe|importo|totale riga|totale|valor|bedrag|regelbedrag|totaal|harga rm|jumlah rm|wartosc|belopp|summa|tutar|сумма|金額|金额|amount|total|total price|total amount|betrag|summe|montant|total ht|prix total|precio total|prezzo totale|preco total|jumlah|net amount|netto|gross amount",
    names: "line price|line value|row total|subtotal",
  },
  description: {
    reads: "line",
    strong:
      "description|item description|desc|product|product name|item name|article|service|services|details|particulars|goods|goods description|item|items|designation|libelle|produit|prestation|descripcion|concepto|producto|articulo|detalle|descrizione|prodotto|articolo|descricao|produto|servico|omschrijving|artikel|beschreibung|bezeichnung|leistung|produkt|artikelbezeichnung|position|keterangan|butiran|barang|nama barang|nazwa|nazwa towaru|opis|nazwa towaru lub uslugi|beskrivning|benamning|aciklama|urun|наименование|товар|品名|摘要|商品|項目|transaction|transaction details|memo|text|buchungstext|verwendungszweck|narration|item/desc|work performed|activity|task|material|part|part description",
    names: "label|title|product description|service description|name",
  },
  item_code: {
    reads: "code",
    strong:
      "item code|product code|sku|article no|article number|part no|part number|part #|item no|item number|item #|product no|product id|code|stock code|barcode|ean|upc|artikelnummer|artikel nr|art nr|art.-nr|artikelnr|reference article|ref article|ref|codigo|cod|codice|codice articolo|cod art|artikelcode|kod|kod towaru|indeks|artnr|kod barang|catalog no|catalogue no|model|model no|item id",
    names: "product reference|item reference|catalog number|material number",
  },
  line_number: {
    reads: "count",
    strong:
      "no|line|line no|line number|#|pos|pos.|position|lp|l.p|nr|sr no|s/n|s.no|sl no|bil|item no|line #|rang|n°|num|row",
    names: "line item number|index|row number",
  },
  invoice_number: {
    reads: "code",
    strong:
      "invoice no|invoice number|invoice #|invoice id|invoice ref|invoice code|inv no|inv number|inv #|inv|tax invoice no|bill no|bill number|bill #|credit note no|credit note number|credit memo no|document no|document number|doc no|doc #|rechnungsnummer|rechnungsnr|rechnungs nr|rechnung nr|re nr|rg nr|belegnummer|beleg nr|beleg|belegnr|numero de facture|facture no|facture n|facture numero|no facture|n facture|num facture|numero de factura|factura no|no factura|n factura|factura n|num factura|factura numero|numero fattura|fattura n|fattura no|n fattura|fattura nr|numero da fatura|fatura n|fatura no|fatura numero|factuurnummer|factuur nr|factuurnr|no invois|no inbois|no resit|nomor faktur|no faktur|faktura nr|numer faktury|faktura vat nr|fakturanummer|fakturanr|faktura no|fatura numarasi|счет |счет фактура|請求書番号|发票号码|發票號碼",
    weak: "invoice|rechnung|facture|factura|fattura|fatura|factuur|faktura|tax invoice",
    names: "document id|invoice reference|bill id",
  },
  receipt_number: {
    reads: "code",
    strong:
      "receipt no|receipt number|receipt #|receipt id|receipt|rcpt no|rcpt #|rcpt|trans no|transaction no|transaction number|transaction id|transaction #|trx no|trn no|trans #|trans id|trans|check #|check no|chk no|chk|slip no|slip|cash bill no|cs no|sales no|bon nr|bonnummer|bon|kassenbon|kassenbeleg|quittung nr|quittungsnummer|ticket no|ticket n|ticket|no ticket|recibo no|recibo n|scontrino n|documento n|recibo|no resit|paragon nr|nr paragonu|kvitto nr|kvittonr|fis no|чек|bill no|bill #|invoice no|doc no|document no|reference number",
    names: "bill number|transaction reference",
  },
  order_number: {
    reads: "code",
    strong:
      "purchase order|purchase order no|purchase order number|purchase order #|po no|po number|po #|p.o|p.o. no|p.o. number|p.o. #|po|po ref|order no|order number|order #|order id|order ref|your order|sales order no|sales order|so no|customer po|bestellnummer|bestell nr|bestellung nr|ihre bestellung|auftragsnummer|auftrags nr|auftragsnr|auftrag nr|bon de commande|commande no|no commande|numero de commande|n commande|pedido no|no pedido|numero de pedido|n pedido|orden de compra|ordine n|numero ordine|ordine nr|n ordine|ordine di acquisto|encomenda n|numero do pedido|bestelnummer|ordernummer|bestelling|uw order|inkooporder|no pesanan|pesanan|numer zamowienia|zamowienie nr|nr zamowienia|ordernr|bestallningsnummer|siparis no|注文番号|订单号|訂單編號",
    names: "purchase order number|order reference|po reference",
  },
  customer_number: {
    reads: "code",
    strong:
      "customer no|customer number|customer id|customer #|customer code|client no|client number|client id|account no|account number|account #|account id|a/c no|acc no|acct no|acct #|member no|member id|membership no|member number|debtor code|kundennummer|kunden nr|kundennr|kd nr|kunde nr|numero client|no client|code client|n client|reference client|numero de cliente|n cliente|no cliente|codigo cliente|codice cliente|cod cliente|n. cliente|numero cliente|klantnummer|klantnr|debiteurnummer|no pelanggan|no ahli|no akaun|nomor pelanggan|numer klienta|nr klienta|kundnummer|kundnr|musteri no|お客様番号|客户编号",
    names: "customer reference|client reference",
  },
  contract_number: {
    reads: "code",
    strong:
      "contract no|contract number|contract #|contract id|agreement no|agreement number|agreement #|policy no|policy number|vertragsnummer|vertrags nr|vertrag nr|numero de contrat|contrat no|contrat n|no contrat|numero de contrato|contrato no|contrato n|contratto n|numero contratto|contractnummer|numer umowy|umowa nr|avtalsnummer|avtalsnr",
    names: "contract reference|agreement id",
  },
  reference: {
    reads: "code",
    strong:
      "reference|reference no|reference number|ref no|ref number|ref #|your ref|our ref|your reference|our reference|referenz|referenznummer|unser zeichen|ihr zeichen|aktenzeichen|votre reference|notre reference|vos ref|nos ref|referencia|su referencia|riferimento|vs rif|rif|referenz nr|kenmerk|uw kenmerk|betalingskenmerk|rujukan|no rujukan|referensnummer|er referens|var referens|payment reference|case no|case number|file no|quote no|quote number|quotation no|offer no|angebotsnummer|devis no|statement no|statement number|delivery note no|lieferschein nr|lieferscheinnummer",
    weak: "ref|reference",
    names: "statement number|quote number|quote id",
  },
  tax_id: {
    reads: "vat",
    strong:
      "vat no|vat number|vat id|vat reg|vat reg no|vat registration|vat registration no|vat registration number|gst id|gst no|gst reg no|gst reg|gst registration no|gst registration number|gst id no|gstin|sst id|sst no|sst reg no|sst registration no|tax id|tax id no|tax no|tax number|tax reg no|tax registration number|tax identification number|tin|tin no|ein|federal id|abn|ust id|ust idnr|ust id nr|ustid|umsatzsteuer id|ust-id-nr|steuernummer|steuer nr|st nr|st.-nr|uid|uid nr|mwst nr|no tva|numero tva|n tva|tva intracommunautaire|tva intracom|n tva intracommunautaire|siret|siren|nif|cif|nif/cif|nie|rfc|nit|cuit|ruc|partita iva|p iva|p.iva|codice fiscale|cf|nif n|contribuinte|nipc|cnpj|cpf|btw nummer|btw nr|btw-id|kvk|npwp|no gst|no cukai|nip|momsreg nr|org nr|organisationsnummer|momsregistreringsnummer|vergi no|vergi numarasi|vkn|инн|registration number|tax registration no|税务登记号|登録番号",
    names: "vat|tax identifier|vat identifier|tax registration|vat registration|taxpayer id",
  },
  company_reg: {
    reads: "code",
    strong:
      "company no|company number|company reg no|company registration no|company registration number|co reg no|co no|reg no|registration no|roc no|roc|handelsregister|hrb|amtsgericht|rcs|kvk nummer|kvk nr|krs|regon|no syarikat|no pendaftaran|business registration number|brn",
    names: "registration number|company registration",
  },
  invoice_date: {
    reads: "date",
    strong:
      "invoice date|date of invoice|bill date|billing date|date of issue|issue date|issued on|issued|date issued|issuing date|receipt date|transaction date|trans date|trx date|purchase date|sales date|sale date|doc date|document date|business date|inv date|tax date|date/time|date & time|date time|printed on|print date|statement date|rechnungsdatum|datum der rechnung|belegdatum|ausstellungsdatum|ausgestellt am|kaufdatum|rechnung vom|date de facture|date de facturation|date facture|date d'emission|emise le|facture du|fecha de factura|fecha factura|fecha de emision|fecha emision|fecha de expedicion|data fattura|data emissione|data di emissione|data documento|data da fatura|data de emissao|data emissao|factuurdatum|tarikh|tarikh invois|tanggal|tanggal faktur|data wystawienia|data faktury|data sprzedazy|fakturadatum|fakturans datum|fatura tarihi|tarih|дата|дата счета|請求日|発行日|开票日期|日期|日付",
    weak: "date|datum|fecha|data|dated|date:",
    names: "date issued|issued at|date of purchase|date of sale|transaction day|purchased at|receipt day|bill issued",
  },
  due_date: {
    reads: "date",
    strong:
      "due date|payment due|payment due date|due on|due by|pay by|payable by|payment date|date due|pay before|falligkeitsdatum|fallig am|fällig am|faellig am|falligkeit|faelligkeit|zahlbar bis|zahlungsziel|zahlbar bis zum|zu zahlen bis|date d'echeance|echeance|date echeance|a payer avant|a payer avant le|a regler avant le|fecha de vencimiento|vencimiento|fecha vencimiento|vence|fecha limite|scadenza|data scadenza|data di scadenza|scadenza pagamento|vencimento|data de vencimento|vervaldatum|betaaldatum|uiterste betaaldatum|te betalen voor|betalen voor|tarikh akhir|jatuh tempo|termin platnosci|termin zaplaty|platne do|forfallodato|forfallodatum|förfallodatum|betalas senast|son odeme tarihi|срок оплаты|支払期限|到期日",
    weak: "due",
    names: "payment deadline|deadline",
  },
  order_date: {
    reads: "date",
    strong:
      "order date|date of order|ordered on|po date|purchase order date|bestelldatum|bestellt am|auftragsdatum|bestellung vom|date de commande|date commande|fecha de pedido|fecha pedido|data ordine|data do pedido|besteldatum|orderdatum|data zamowienia|tarikh pesanan",
    names: "ordered at",
  },
  delivery_date: {
    reads: "date",
    strong:
      "delivery date|date of delivery|ship date|shipping date|shipped on|delivered on|required date|required by|deliver by|delivery by|expected delivery|service date|date of supply|date of service|supply date|lieferdatum|liefertermin|leistungsdatum|lieferung am|leistungszeitpunkt|date de livraison|livraison le|fecha de entrega|fecha entrega|data consegna|data di consegna|data de entrega|leverdatum|leveringsdatum|data dostawy|leveransdatum|tarikh penghantaran",
    names: "shipped at|delivered at",
  },
  period_start: {
    reads: "date",
    strong:
      "period from|from date|start date|period start|statement from|date from|beginning|commencement|commencement date|begins on|starts on|valid from|gultig ab|gueltig ab|beginn|vertragsbeginn|startdatum|zeitraum von|von|date de debut|debut|du|a compter du|fecha de inicio|fecha inicio|inicio|desde|data inizio|data di inizio|decorrenza|inizio|dal|data de inicio|ingangsdatum|aanvangsdatum|begindatum|data rozpoczecia|od dnia|startdag",
    weak: "from",
    names: "start|begin date|beginning date|statement period start|billing period start",
  },
  period_end: {
    reads: "date",
    strong:
      "period to|to date|end date|period end|statement to|date to|period ending|ending|ends on|until|expires on|expires|expiration date|expiry date|expiry|expiration|valid until|valid to|good through|termination date|gultig bis|gueltig bis|ende|vertragsende|enddatum|zeitraum bis|bis|ablaufdatum|laufzeit bis|date de fin|fin|au|jusqu'au|date d'expiration|fecha de fin|fecha fin|hasta|fecha de terminacion|data fine|data di fine|al|fino al|data de termino|data fim|einddatum|vervalt op|data zakonczenia|do dnia|slutdatum|closing date|statement closing date",
    weak: "to",
    names: "end|expires at|statement period end|billing period end|expiration",
  },
  effective_date: {
    reads: "date",
    strong:
      "effective date|date of effect|effective as of|effective from|effective on|effective|entered into as of|entered into on|made as of|made on|made and entered into as of|made and entered into on|made and entered into this|as of|in force from|takes effect on|inkrafttreten|tritt in kraft am|wirksam ab|wirkung zum|date d'effet|date d'entree en vigueur|prend effet le|entre en vigueur le|fecha efectiva|fecha de entrada en vigor|entra en vigor el|vigencia a partir|data di efficacia|data efficacia|decorre dal|data de vigencia|data de entrada em vigor|ingangsdatum|treedt in werking op|data wejscia w zycie|ikrafttradande",
    names: "contract date|agreement date|start date|commencement date|date of agreement",
  },
  signature_date: {
    reads: "date",
    strong:
      "date signed|signed on|signature date|date of signature|signed|executed on|date of execution|unterzeichnet am|datum der unterschrift|unterschrieben am|date de signature|signe le|fait le|fecha de firma|firmado el|data firma|data della firma|firmato il|assinado em|data de assinatura|getekend op|datum ondertekening|data podpisania|undertecknat",
    names: "signing date|signed at|execution date",
  },
  birth_date: {
    reads: "date",
    strong:
      "date of birth|birth date|birthdate|dob|born|born on|geburtsdatum|geboren am|geb|date de naissance|ne le|nee le|fecha de nacimiento|nacido el|data di nascita|nato il|data de nascimento|geboortedatum|tarikh lahir|data urodzenia|fodelsedatum|dogum tarihi",
    names: "birthday",
  },
  time: {
    reads: "time",
    strong:
      "time|time of purchase|transaction time|uhrzeit|zeit|heure|hora|ora|tijd|masa|jam|godzina|tid|saat|время|時刻|时间",
    names: "purchase time",
  },
  vendor_name: {
    reads: "company",
    strong:
      "seller|vendor|supplier|merchant|issued by|sold by|from|biller|company name|vendor name|seller name|supplier name|merchant name|shop name|store name|verkaufer|lieferant|aussteller|rechnungssteller|firma|vendeur|fournisseur|emetteur|vendedor|proveedor|emisor|venditore|fornitore|cedente|fornecedor|emitente|verkoper|leverancier|penjual|pembekal|sprzedawca|wystawca|saljare|leverantor|satici|продавец|поставщик|販売者|销售方|service provider|contractor|landlord|lessor|licensor",
    names:
      "company|shop|store|merchant|retailer|business|business name|issuer|issuer name|restaurant|store|brand|organization|organisation|provider|provider name|company issued|shop or company|biller name|sender|sender name|payee|seller company|bank|bank name|issuing company|trader",
  },
  customer_name: {
    reads: "company",
    strong:
      "bill to|billed to|invoice to|sold to|customer|customer name|client|client name|buyer|buyer name|purchaser|attn|attention|ship to|deliver to|delivered to|recipient|bill-to|account name|account holder|kontoinhaber|titulaire|titular|intestatario del conto|rekeninghouder|invoiced to|issued to|prepared for|to|kunde|kaufer|rechnungsempfanger|rechnungsadresse|rechnung an|lieferanschrift|client|acheteur|facture a|facturer a|destinataire|cliente|facturar a|comprador|facturado a|destinatario|cessionario|intestatario|spett le|spett.le|fatturare a|faturar a|klant|koper|factuuradres|factureren aan|pelanggan|pembeli|kepada|nabywca|kupujacy|odbiorca|kopare|kund|faktureras till|musteri|alici|покупатель|заказчик|お客様|购买方|tenant|lessee|licensee|policyholder|insured",
    names:
      "customer company|client company|bill to name|billing name|payer|purchaser name|buyer company|addressee|receiver|recipient name|customer full name|account holder name",
  },
  ship_name: {
    reads: "company",
    strong:
      "ship to|deliver to|delivery address|shipping address|consignee|lieferadresse|lieferanschrift|livrer a|adresse de livraison|enviar a|direccion de envio|indirizzo di consegna|spedire a|afleveradres|verzendadres|adres dostawy|leveransadress",
    names: "ship to name|shipping name|recipient name|consignee name",
  },
  person: {
    reads: "person",
    strong:
      "name|full name|contact|contact person|contact name|sales person|salesperson|sales rep|prepared by|authorized by|approved by|signed by|signatory|applicant|employee|employee name|patient|patient name|student|student name|nombre|nombre completo|nome|nom|nom et prenom|naam|nama|ansprechpartner|bearbeiter|ihr ansprechpartner|interlocuteur|contacto|contatto|referente|contactpersoon|imie i nazwisko|namn|ad soyad|фио|氏名|姓名",
    names: "person name|candidate|candidate name|author|representative|applicant name",
  },
  cashier: {
    reads: "person",
    strong:
      "cashier|served by|operator|staff|server|waiter|clerk|cashier name|kassierer|bediener|es bediente sie|kassiererin|caissier|caissiere|servi par|vendeur|cajero|atendido por|cajera|cassiere|operatore|atendente|operador|kassier|bediend door|juruwang|kasir|kasjer|kassor|kasiyer",
    names: "cashier id|server name",
  },
  address: {
    reads: "address",
    strong:
      "address|street address|mailing address|postal address|home address|registered address|registered office|office address|business address|anschrift|adresse|postanschrift|direccion|domicilio|indirizzo|sede legale|residenza|endereco|morada|adres|alamat|adress|adresi|адрес|住所|地址|located at|situated at|location",
    names:
      "shop address|store address|vendor address|merchant address|full address|company address|seller address|supplier address|street|address line|issuer address|location of shop",
  },
  customer_address: {
    reads: "address",
    strong:
      "billing address|bill to address|customer address|rechnungsanschrift|rechnungsadresse|adresse de facturation|direccion de facturacion|indirizzo di fatturazione|factuuradres|adres nabywcy|fakturaadress",
    names:
      "client address|buyer address|bill to address|recipient address|customer mailing address|payer address|tenant address",
  },
  ship_address: {
    reads: "address",
    strong:
      "shipping address|delivery address|ship to address|lieferadresse|lieferanschrift|adresse de livraison|direccion de envio|direccion de entrega|indirizzo di consegna|indirizzo di spedizione|afleveradres|verzendadres|adres dostawy|leveransadress|ship to",
    names: "deliver to address|consignee address",
  },
  email: {
    reads: "email",
    strong:
      "email|e-mail|mail|email address|e-mail address|e-mail-adresse|courriel|adresse e-mail|correo|correo electronico|posta elettronica|e-posta|emel|adres e-mail|e-post|メール|邮箱|电子邮件",
  },
  phone: {
    reads: "phone",
    strong:
      "tel|telephone|phone|phone no|phone number|tel no|telephone no|telephone number|mobile|mobile no|mobile number|cell|cell phone|contact no|contact number|hp|h/p|hotline|call us|telefon|tel nr|telefonnummer|rufnummer|mobil|handy|telephone|portable|telefono|movil|tfno|cellulare|cell|telefone|telemovel|telefoon|mobiel|telepon|no telefon|no tel|komorka|telefonnr|mobiltelefon|телефон|тел|電話|电话|電話番号",
    names: "phone|contact phone|telephone",
  },
  fax: {
    reads: "phone",
    strong: "fax|fax no|fax number|telefax|faks|telecopie|factuur fax|факс|傳真|传真",
    names: "fax number",
  },
  url: {
    reads: "url",
    strong:
      "website|web site|web|url|homepage|site|webseite|internet|site web|site internet|sitio web|pagina web|sito|sito web|strona|hemsida|webbplats|linkedin|github|portfolio",
    names: "link|web address|web page|profile|website url",
  },
  iban: { reads: "iban", strong: "iban|iban no|iban number|iban code", names: "bank account|account iban|iban" },
  bic: {
    reads: "bic",
    strong: "bic|swift|swift code|bic code|swift/bic|bic/swift|bic swift|swift bic",
    names: "bank identifier code",
  },
  account_number: {
    reads: "code",
    strong:
      "account no|account number|acct no|bank account|bank account no|bank account number|a/c no|a/c number|account #|kontonummer|konto nr|konto|numero de compte|no compte|numero de cuenta|cuenta|numero conto|conto corrente|c/c|numero da conta|rekeningnummer|rekening|no akaun|nomor rekening|numer konta|nr konta|numer rachunku|nr rachunku|kontonr|bankkonto|hesap no",
    names: "bank account number",
  },
  bank_name: {
    reads: "line",
    strong: "bank|bank name|name of bank|kreditinstitut|banque|banco|banca|bankverbindung|nazwa banku",
    names: "bank",
  },
  currency: {
    reads: "currency",
    strong:
      "currency|wahrung|waehrung|devise|monnaie|moneda|divisa|valuta|moeda|mata wang|waluta|para birimi|валюта|通貨|币种",
    names: "currency code|iso currency",
  },
  payment_terms: {
    reads: "line",
    strong:
      "payment terms|terms of payment|payment term|terms|credit terms|payment conditions|zahlungsbedingungen|zahlungsbedingung|zahlungskonditionen|zahlungsfrist|conditions de paiement|conditions de reglement|modalites de paiement|condiciones de pago|forma y plazo de pago|condizioni di pagamento|termini di pagamento|condicoes de pagamento|betalingsvoorwaarden|betalingscondities|betaaltermijn|terma pembayaran|terma bayaran|warunki platnosci|betalningsvillkor",
    names: "terms of payment|payment conditions",
  },
  payment_method: {
    reads: "line",
    strong:
      "payment method|method of payment|payment mode|mode of payment|payment type|pay method|pay type|paid by|paid with|paid via|payment by|tender type|zahlungsart|zahlungsweise|zahlart|zahlungsmittel|bezahlt mit|mode de paiement|mode de reglement|moyen de paiement|paye par|forma de pago|metodo de pago|medio de pago|metodo di pagamento|modalita di pagamento|tipo pagamento|forma de pagamento|metodo de pagamento|betaalmethode|betaalwijze|betaald met|cara bayaran|kaedah bayaran|metode pembayaran|sposob platnosci|forma platnosci|betalningssatt|betalmetod|odeme sekli|способ оплаты|支払方法|支付方式",
    names: "payment|tender|how paid",
  },
  opening_balance: {
    reads: "amount",
    strong:
      "opening balance|previous balance|balance brought forward|balance b/f|beginning balance|starting balance|balance forward|brought forward|last balance|anfangssaldo|alter saldo|alter kontostand|saldovortrag|anfangsbestand|solde initial|ancien solde|solde precedent|solde d'ouverture|saldo inicial|saldo anterior|saldo iniziale|saldo precedente|beginsaldo|vorig saldo|baki awal|saldo poczatkowe|ingaende saldo",
    names: "start balance|balance start",
  },
  closing_balance: {
    reads: "amount",
    strong:
      "closing balance|new balance|ending balance|balance carried forward|balance c/f|current balance|statement balance|end balance|final balance|carried forward|endsaldo|neuer saldo|neuer kontostand|schlusssaldo|endbestand|kontostand|solde final|nouveau solde|solde de cloture|solde actuel|saldo final|saldo actual|nuevo saldo|saldo finale|nuovo saldo|saldo attuale|eindsaldo|nieuw saldo|baki akhir|saldo koncowe|utgaende saldo",
    names: "end balance|balance end",
  },
  balance: { reads: "amount", strong: "balance|running balance|saldo|solde|baki", names: "account balance" },
  debit: {
    reads: "amount",
    strong:
      "debit|debits|withdrawal|withdrawals|money out|paid out|payments out|soll|belastung|lastschrift|ausgang|retrait|retraits|cargo|cargos|debe|addebiti|addebito|dare|debito|af|debet|uttag|total debits|total withdrawals",
    names: "debit amount|withdrawal amount",
  },
  credit: {
    reads: "amount",
    strong:
      "credit|credits|deposit|deposits|money in|paid in|payments in|haben|gutschrift|eingang|depot|depots|abono|abonos|haber|accrediti|accredito|avere|credito|bij|insattning|total credits|total deposits",
    names: "credit amount|deposit amount",
  },
  deposit: {
    reads: "amount",
    strong:
      "security deposit|deposit amount|rental deposit|kaution|mietkaution|depot de garantie|caution|fianza|cauzione|deposito cauzionale|caucao|waarborgsom|borg",
    names: "deposit|security deposit",
  },
  rent: {
    reads: "amount",
    strong:
      "monthly rent|rent|base rent|rental|kaltmiete|miete|monatsmiete|grundmiete|nettokaltmiete|loyer|loyer mensuel|renta|renta mensual|alquiler|canone|canone mensile|affitto|renda|aluguel|huur|huurprijs|czynsz|hyra",
    names: "rent amount|rent per month",
  },
  salary: {
    reads: "amount",
    strong:
      "salary|annual salary|base salary|gross salary|monthly salary|remuneration|compensation|gehalt|bruttogehalt|monatsgehalt|jahresgehalt|vergutung|salaire|salaire brut|remuneration brute|salario|salario bruto|retribuzione|stipendio|remuneracao|salaris|wynagrodzenie|lon",
    names: "wage|pay",
  },
  title: {
    reads: "title",
    strong: "title|document title|titel|titre|titulo|titolo|tytul|titel",
    names: "headline|name of document|contract title|subject|article title",
  },
  subtitle: { reads: "line", strong: "subtitle|untertitel|sous titre|subtitulo|sottotitolo", names: "standfirst|deck" },
  subject: {
    reads: "line",
    strong:
      "subject|re|betreff|betr|objet|asunto|oggetto|assunto|onderwerp|betreft|perkara|dotyczy|amne|konu|тема|件名|主题",
    names: "subject line|topic|regarding",
  },
  author: {
    reads: "person",
    strong:
      "author|authors|by|written by|posted by|autor|autoren|von|verfasser|auteur|auteurs|par|ecrit par|por|autore|di|scritto da|door|oleh|autorzy|av|forfattare|автор|著者|作者",
    names: "byline|writer|creator",
  },
  published: {
    reads: "date",
    strong:
      "published|published on|published at|publication date|date published|posted|posted on|updated|last updated|veroffentlicht|veroffentlicht am|erschienen|stand|publie le|publie|date de publication|mis a jour|publicado|publicado el|fecha de publicacion|pubblicato|pubblicato il|data di pubblicazione|publicado em|gepubliceerd|gepubliceerd op|diterbitkan|opublikowano|data publikacji|publicerad|received|accepted",
    names: "published at|publish date|release date|date published|posted at",
  },
  abstract: {
    reads: "section",
    strong:
      "abstract|summary|executive summary|zusammenfassung|kurzfassung|abstrakt|resume|sommaire|resumen|extracto|sommario|riassunto|abstract|resumo|samenvatting|abstrak|ringkasan|streszczenie|abstrakt|sammanfattning|ozet|аннотация|резюме|要旨|摘要",
    names: "description of article|synopsis|overview",
  },
  keywords: {
    reads: "list",
    strong:
      "keywords|key words|index terms|tags|topics|categories|schlusselworter|schlagworte|stichworter|mots cles|palabras clave|parole chiave|palavras chave|trefwoorden|kata kunci|slowa kluczowe|nyckelord|ключевые слова|キーワード|关键词",
    names: "tag list|subjects",
  },
  sections: { reads: "list", strong: "", names: "sections|headings|chapters|outline|section titles|table of contents" },
  doi: { reads: "code", strong: "doi", names: "digital object identifier" },
  headline: {
    reads: "line",
    strong:
      "headline|professional title|job title|current position|desired position|berufsbezeichnung|poste recherche|titulo profesional",
    names: "role|occupation|profession|current title|tagline",
  },
  summary: {
    reads: "section",
    strong:
      "summary|profile|about|about me|professional summary|career summary|objective|career objective|personal statement|personal profile|professional profile|kurzprofil|profil|uber mich|zusammenfassung|beruflisches profil|a propos|a propos de moi|profil professionnel|resumen|resumen profesional|perfil|perfil profesional|sobre mi|profilo|profilo professionale|chi sono|sobre mim|resumo profissional|profiel|over mij|o mnie|podsumowanie|om mig",
    names: "bio|biography|introduction|profile summary",
  },
  skills: {
    reads: "list",
    strong:
      "skills|technical skills|key skills|core skills|core competencies|competencies|expertise|technologies|tools|skills & tools|skills and tools|kenntnisse|fahigkeiten|kompetenzen|it kenntnisse|edv kenntnisse|fachkenntnisse|competences|competences techniques|competences cles|habilidades|competencias|aptitudes|conocimientos|competenze|capacita|competenze tecniche|habilidades tecnicas|vaardigheden|competenties|kemahiran|umiejetnosci|fardigheter|kompetenser|beceriler|навыки",
    names: "skill list|abilities",
  },
  languages: {
    reads: "list",
    strong:
      "languages|language skills|sprachen|sprachkenntnisse|langues|idiomas|lingue|conoscenze linguistiche|linguas|talen|bahasa|jezyki|jezyki obce|sprak|diller|языки",
    names: "spoken languages",
  },
  experience: {
    reads: "list",
    strong:
      "experience|work experience|professional experience|employment|employment history|work history|career history|career|professional background|relevant experience|berufserfahrung|beruflicher werdegang|berufliche erfahrung|werdegang|praxiserfahrung|experience professionnelle|experiences professionnelles|parcours professionnel|experiences|experiencia|experiencia profesional|experiencia laboral|esperienza|esperienza professionale|esperienze lavorative|esperienze professionali|experiencia profissional|werkervaring|ervaring|pengalaman kerja|pengalaman|doswiadczenie|doswiadczenie zawodowe|arbetslivserfarenhet|erfarenhet|is deneyimi|deneyim|опыт работы",
    names: "jobs|positions|work|employers|roles",
  },
  education: {
    reads: "list",
    strong:
      "education|education and training|academic background|educational background|qualifications|academic qualifications|studies|ausbildung|bildung|bildungsweg|studium|schulbildung|akademische ausbildung|formation|formations|etudes|parcours academique|diplomes|formation academique|educacion|formacion|formacion academica|estudios|istruzione|istruzione e formazione|formazione|titoli di studio|educacao|formacao|formacao academica|opleiding|opleidingen|onderwijs|pendidikan|wyksztalcenie|edukacja|utbildning|egitim|образование",
    names: "schools|degrees|academic history",
  },
  projects: {
    reads: "list",
    strong:
      "projects|personal projects|selected projects|projekte|projets|proyectos|progetti|projetos|projecten|projekty|projekt",
    names: "portfolio projects",
  },
  certifications: {
    reads: "list",
    strong:
      "certifications|certificates|licenses|licenses and certifications|training|courses|zertifikate|zertifizierungen|weiterbildung|certificats|certifications|certificaciones|cursos|certificazioni|corsi|certificacoes|certificaten|cursussen|certyfikaty|kursy|certifikat|kurser",
    names: "certificate list",
  },
  interests: {
    reads: "list",
    strong:
      "interests|hobbies|hobbies and interests|interessen|hobbys|centres d'interet|loisirs|intereses|aficiones|interessi|hobby|interesses|hobbies en interesses|zainteresowania|intressen",
    names: "hobby list",
  },
  references: {
    reads: "section",
    strong: "references|referenzen|references professionnelles|referencias|referenze|referenties|referencje|referenser",
  },
  parties: {
    reads: "list",
    strong:
      "parties|the parties|between|by and between|zwischen|vertragsparteien|entre|entre les soussignes|les parties|las partes|le parti|tra|as partes|tussen|partijen|miedzy|strony|mellan",
    names: "contracting parties|party names|signatories",
  },
  term: {
    reads: "line",
    strong:
      "term|initial term|term of agreement|contract term|duration|contract duration|lease term|laufzeit|vertragsdauer|vertragslaufzeit|dauer|mietdauer|duree|duree du contrat|duracion|plazo|vigencia|durata|durata del contratto|duracao|prazo|looptijd|duur|duur van de overeenkomst|tempoh|okres obowiazywania|czas trwania|avtalstid|loptid",
    names: "term length|length of contract|contract length",
  },
  notice_period: {
    reads: "line",
    strong:
      "notice period|notice of termination|termination notice|period of notice|written notice|prior written notice|days notice|kundigungsfrist|kuendigungsfrist|preavis|delai de preavis|plazo de preaviso|preaviso|periodo di preavviso|preavviso|prazo de aviso|aviso previo|opzegtermijn|tempoh notis|okres wypowiedzenia|uppsagningstid",
    names: "termination notice period|cancellation period|notice",
  },
  governing_law: {
    reads: "line",
    strong:
      "governing law|applicable law|governed by the laws of|governed by the law of|governed by and construed in accordance with the laws of|governed by|laws of|anwendbares recht|geltendes recht|es gilt das recht|es gilt|loi applicable|droit applicable|regi par le droit|soumis au droit|ley aplicable|legislacion aplicable|se regira por las leyes de|legge applicabile|regolato dalla legge|lei aplicavel|regido pelas leis|toepasselijk recht|undang undang|prawo wlasciwe|tillamplig lag",
    names: "law|choice of law",
  },
  jurisdiction: {
    reads: "line",
    strong:
      "jurisdiction|place of jurisdiction|venue|courts of|exclusive jurisdiction|exclusive jurisdiction of the courts of|gerichtsstand|ausschliesslicher gerichtsstand|juridiction|juridiction competente|tribunal competent|tribunaux de|jurisdiccion|tribunales de|foro competente|foro|competenza|foro di|bevoegde rechter|rechtbank|sad wlasciwy|behorig domstol",
    names: "court|competent court",
  },
  employer: {
    reads: "company",
    strong:
      "employer|company|arbeitgeber|unternehmen|firma|employeur|entreprise|societe|empresa|empleador|azienda|datore di lavoro|werkgever|bedrijf|majikan|syarikat|pracodawca|arbetsgivare|foretag|işveren",
    names: "organization|organisation|employer name|company name",
  },
  position: {
    reads: "line",
    strong:
      "position|job title|role|title|stelle|funktion|tatigkeit|berufsbezeichnung|poste|fonction|intitule du poste|puesto|cargo|ruolo|posizione|mansione|functie|jawatan|stanowisko|befattning|tjanst",
    names: "job|job position|designation",
  },
  institution: {
    reads: "line",
    strong:
      "institution|school|university|college|institute|hochschule|universitat|schule|etablissement|ecole|universite|universidad|escuela|instituto|istituto|universita|scuola|universidade|universiteit|hogeschool|uczelnia|szkola|universitet",
    names: "school name|university name|academy",
  },
  degree: {
    reads: "line",
    strong:
      "degree|qualification|diploma|field of study|major|abschluss|studiengang|diplome|titulo|grado|titolo di studio|laurea|diploma|kierunek|stopien|examen",
    names: "degree name|study|subject",
  },
  table_number: {
    reads: "code",
    strong: "table|table no|table #|tbl|tisch|mesa|tavolo|tafel|meja",
    names: "table number",
  },
  register: {
    reads: "code",
    strong:
      "terminal|terminal id|pos|pos no|counter|counter no|register|reg|station|till|kasse|kassen nr|caisse|caja|cassa|kassa|store no|store #|store|branch|outlet|filiale|magasin|tienda|station id|pid|ord|order",
    names: "register number|terminal number|store number|branch",
  },
  card_number: {
    reads: "code",
    strong:
      "card no|card number|card #|kartennummer|karten nr|numero de carte|numero de tarjeta|kaartnummer|nr karty|no kad",
    names: "card last four",
  },
  approval: {
    reads: "code",
    strong:
      "approval code|appr code|auth code|authorization code|autorisierung|genehmigungsnr|approval no|trace no|batch no",
    names: "authorization code",
  },
  points: {
    reads: "count",
    strong:
      "points|point|member points|reward points|points earned|points balance|mata ganjaran|bonus points|punkte|puntos|punti",
    names: "loyalty points",
  },
  incl: {
    reads: "amount",
    strong:
      "incl gst|including gst|inclusive of gst|inclusive gst|inc gst|include gst|gst inclusive|gst incl|incl of gst|incl tax|including tax|inclusive of tax|tax included|tax inclusive|tax incl|incl vat|including vat|inclusive of vat|inc vat|vat included|incl sst|inclusive sst|inclusive of sst|inkl mwst|inkl ust|incl mwst|inklusive mwst|ttc|tva incluse|tva comprise|iva incluido|iva incl|con iva|iva inclusa|iva compresa|incl btw|inclusief btw|termasuk cukai|termasuk gst|inkl moms|incl 6 gst|incl 0 gst|inclusive of 6 gst|including 6 gst|gst @6 included|gst included",
  },
  excl: {
    reads: "amount",
    strong:
      "excl gst|excluding gst|exclusive of gst|exclusive gst|exclude gst|excl tax|excluding tax|exclusive of tax|before tax|before gst|excl vat|excluding vat|exclusive of vat|ex vat|without vat|excl sst|zzgl mwst|ohne mwst|exkl mwst|hors taxe|hors tva|sin iva|senza iva|iva esclusa|excl btw|exclusief btw|exkl moms|ex gst|ex tax",
  },
  tax_summary: {
    reads: "amount",
    strong:
      "gst summary|tax summary|gst analysis|gst code|tax code|vat summary|sst summary|vat analysis|mwst ubersicht|tax breakdown|tax type|gst breakdown|goods amount|taxable supplies|zero rated|standard rated|zrl|gst tax summary",
  },
} as const satisfies Record<string, Row>;

export type ConceptId = keyof typeof rows;

export interface Concept {
  id: ConceptId;
  reads: Reads;
  strong: string[];
  weak: string[];
  names: string[];
}

const split = (text: string | undefined): string[] => (text ? text.split("|") : []);

export const concepts: Concept[] = (Object.entries(rows) as [ConceptId, Row][]).map(([id, row]) => ({
  id,
  reads: row.reads,
  strong: split(row.strong),
  weak: split(row.weak),
  names: split(row.names),
}));

export const conceptById = new Map(concepts.map((concept) => [concept.id, concept]));
