-- The list of people that an order of this kind names; hashes of PINs stand in it and in no ledger.
ALTER TABLE commands ADD COLUMN roster text;
